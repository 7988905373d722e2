package io.phaseload.plan.stream;

import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes an {@link EventStream}, whose Javadoc has the grammar. */
final class EventStreamText {

    /** Without alternatives within quotes, whose recursion would overflow the stack. */
    private static final Pattern PART =
            Pattern.compile("\\s+([A-Za-z]+)(?:=(?:'([^']*+(?:''[^']*+)*+)'|([^'\\s]\\S*)))?(?=\\s|$)");

    private static final Pattern PRESET = Pattern.compile("([A-Za-z]+(?:-[a-z]+)?)(?=\\s|$)");

    private EventStreamText() {}

    static EventStream parse(String text) {
        String stripped = text.strip();
        Matcher preset = PRESET.matcher(stripped);
        if (!preset.lookingAt()) {
            throw new ValueException("events, openai, openai-responses or anthropic, then parts such as count=20");
        }
        Map<String, String> parts = new LinkedHashMap<>();
        Matcher part = PART.matcher(stripped);
        int position = preset.end();
        while (position < stripped.length()) {
            if (!part.region(position, stripped.length()).lookingAt()) {
                throw new ValueException("parts such as count=20 or until='[DONE]', found '%s'"
                        .formatted(stripped.substring(position).strip()));
            }
            if (parts.put(part.group(1), value(part)) != null) {
                throw new ValueException("part '%s'".formatted(part.group(1)), "it once");
            }
            position = part.end();
        }
        return EventStream.of(preset.group(1), parts);
    }

    private static String value(Matcher part) {
        if (part.group(2) != null) {
            return part.group(2).replace("''", "'");
        }
        return part.group(3) == null ? "true" : part.group(3);
    }

    static String write(EventStream stream) {
        StringBuilder text = new StringBuilder("events");
        stream.event().ifPresent(type -> add(text, "event", type));
        if (stream.ofTokens()) {
            add(text, "content", TokenSource.write(stream.content()));
        }
        stream.count().ifPresent(number -> add(text, "count", number.toString()));
        stream.until().ifPresent(data -> add(text, "until", data));
        stream.length().ifPresent(time -> add(text, "for", text(time)));
        stream.sentAt().ifPresent(where -> add(text, "sentAt", where.toString()));
        return stream.reconnect() ? text.append(" reconnect").toString() : text.toString();
    }

    private static String text(Duration time) {
        long micros = time.toNanos() / 1_000;
        return micros % 1_000 == 0 ? micros / 1_000 + "ms" : micros + "us";
    }

    private static void add(StringBuilder text, String name, String value) {
        text.append(' ').append(name).append('=');
        if (value.matches("[^'\\s]\\S*")) {
            text.append(value);
        } else {
            text.append('\'').append(value.replace("'", "''")).append('\'');
        }
    }
}
