package io.phaseload.planfile;

import io.phaseload.input.Secrets;
import io.phaseload.plan.Header;
import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads headers from settings, and writes them into a plan's document. A header of the command line replaces one of the
 * file. One whose value was a secret must be given again, unless the plan is only read.
 */
final class HeaderForm {

    private static final String OTHER = "one that the client doesn't set itself";

    /** The rest of {@code Basic {base64:{name}:{password}}} and the like without values. */
    private static final Pattern SCHEME_AND_VALUES = Pattern.compile("([A-Za-z]{1,20} )?:?");

    private final boolean toRun;
    private final List<Header> ofTarget = new ArrayList<>();
    private final Set<String> beside;

    HeaderForm(Settings settings, boolean toRun) {
        this.toRun = toRun;
        List<Given> all = settings.all(Setting.HEADER);
        this.beside = all.stream()
                .filter(given -> !given.origin().isFile())
                .map(given -> lowerCase(header(given)))
                .collect(Collectors.toSet());
        for (Given given : all) {
            add(given, ofTarget);
        }
    }

    private static String lowerCase(Header header) {
        return header.name().toLowerCase(Locale.ROOT);
    }

    /** False of a plan that is only read. */
    boolean toRun() {
        return toRun;
    }

    /** Headers of all requests. */
    List<Header> ofTarget() {
        return ofTarget;
    }

    /** Headers of one request in a file. Without a check they would win over the command line. */
    List<Header> own(Given request) {
        List<Header> headers = new ArrayList<>();
        request.part("headers").map(SettingsFile::entries).orElse(List.of()).forEach(given -> add(given, headers));
        return headers;
    }

    private void add(Given given, List<Header> headers) {
        Header header = header(given);
        boolean file = given.origin().isFile();
        if (file && beside.contains(lowerCase(header))) {
            return;
        }
        if (file && toRun && Secrets.isRedacted(header.value())) {
            throw given.needs(
                    "its value in a copy of the file, or --header '%s: …': it was a secret, and secrets aren't kept"
                            .formatted(header.name()));
        }
        headers.add(header);
    }

    private static Header header(Given given) {
        if (given.isObject()) {
            Map.Entry<String, String> entry = given.entry(':', "");
            return given.read(text -> new Header(entry.getKey(), entry.getValue()), OTHER);
        }
        return given.read(Header::parse, OTHER);
    }

    /** A part of an address can't be given again. */
    void checkSecret(Given given, String address) {
        if (toRun && Secrets.isRedacted(address)) {
            throw new SettingsException(
                    given.origin().named(Optional.of(address)) + ": expected a copy of the file with the secret in it");
        }
    }

    /** Headers; of journeys, what is made of values alone is no secret. */
    static void write(ObjectNode json, List<Header> headers, boolean journeys, boolean secrets) {
        for (Header header : headers) {
            boolean shown = secrets
                    || journeys
                            && SCHEME_AND_VALUES
                                    .matcher(Template.parse(header.value()).literals())
                                    .matches();
            String value = shown ? header.value() : Secrets.redactHeader(header.name(), header.value());
            json.withArray("headers").addObject().put("name", header.name()).put("value", value);
        }
    }
}
