package io.phaseload.cli.run;

import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a form as curl has it, as a plan's file has it. */
final class FormPart {

    private static final Pattern PARAMETER = Pattern.compile(";\\s*(type|filename)=([^;]*)$");

    private FormPart() {}

    /**
     * Reads {@code name=value} or {@code name=@FILE}, with {@code ;type=…} and {@code ;filename=…} behind it.
     *
     * @throws io.phaseload.settings.SettingsException if it is something else
     */
    static Given of(Given given) {
        Map.Entry<String, String> entry = given.entry('=', Setting.expected(Setting.FORM));
        Map<String, Given> parts = new HashMap<>();
        parts.put("name", text(given, entry.getKey()));
        String value = entry.getValue();
        Matcher found = PARAMETER.matcher(value);
        while (found.find()) {
            String key = found.group(1).equals("type") ? "type" : "fileName";
            parts.put(key, text(given, found.group(2)));
            value = value.substring(0, found.start());
            found = PARAMETER.matcher(value);
        }
        if (value.startsWith("<")) {
            throw given.wrong("expected name=@FILE");
        }
        if (value.startsWith("@")) {
            parts.put("file", text(given, value.substring(1)));
        } else {
            parts.put("text", text(given, value));
        }
        return Given.object(parts, given.origin());
    }

    private static Given text(Given given, String text) {
        return Given.text(Setting.FORM, text, given.origin());
    }
}
