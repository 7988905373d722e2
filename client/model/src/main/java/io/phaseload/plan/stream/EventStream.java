package io.phaseload.plan.stream;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * How a response that is a stream of server-sent events is read: which of them count, and when it is over. As text,
 * {@link EventStreamText}:
 *
 * <pre>
 * stream = preset *( blanks part )
 * preset = "events" | "openai" | "openai-responses" | "anthropic"
 * part   = "event=" value | "content=" source *( "," source ) | "count=" number | "until=" value | "for=" time
 *        | "sentAt=" pointer [ ":" ( "s" | "ms" | "us" | "ns" ) ] | "reconnect"
 * source = [ type ":" ] pointer
 * value  = word | "'" text "'"
 * </pre>
 *
 * <p>The first of {@code count}, {@code until} and {@code length} that holds ends the stream; without any, its server
 * does.
 *
 * @param event events of this type count; empty for all types
 * @param content events count whose data has a text in one of these places, which isn't empty; such events are tokens
 *     of a model, and those of the first place are its output; empty for all events
 * @param count the stream is over after so many events that count
 * @param until it is over with an event whose data, or whose type, is this text, or one of several that are separated
 *     by commas
 * @param length it is over after this time
 * @param sentAt the place of an event's sending time
 * @param reconnect true if a stream that ends early is requested again, from its last event on
 */
public record EventStream(
        Optional<String> event,
        List<TokenSource> content,
        Optional<Long> count,
        Optional<String> until,
        Optional<Duration> length,
        Optional<SentAt> sentAt,
        boolean reconnect) {

    /** All events, to the server's end. */
    public static final EventStream EVENTS = new EventStream(
            Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** The meaning of a word. */
    private static final Properties PRESETS = presets();

    private static Properties presets() {
        Properties presets = new Properties();
        try (InputStream in = EventStream.class.getResourceAsStream("presets.properties")) {
            presets.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return presets;
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public EventStream {
        event.ifPresent(type -> Args.notBlank("event", type));
        content = List.copyOf(content);
        count.ifPresent(number -> Args.range("count", number, 1, 1_000_000_000));
        until.ifPresent(text -> Args.notBlank("until", text));
        length.ifPresent(time -> Args.positive("for", time));
        if (reconnect && count.isEmpty() && until.isEmpty() && length.isEmpty()) {
            throw new ValueException("reconnect", "count, until or for beside it, which say when the stream is over");
        }
    }

    /**
     * Reads the form of the command line.
     *
     * @param text such as {@code openai}, or {@code events count=20 reconnect}
     * @throws IllegalArgumentException naming what isn't allowed
     */
    public static EventStream parse(String text) {
        return EventStreamText.parse(text);
    }

    /**
     * Makes one of its parts as texts.
     *
     * @param preset the defaults of all parts
     * @param parts by name, see above
     * @throws IllegalArgumentException naming what isn't allowed
     */
    public static EventStream of(String preset, Map<String, String> parts) {
        Map<String, String> all = new LinkedHashMap<>();
        PRESETS.stringPropertyNames().stream()
                .filter(key -> key.startsWith(preset + "."))
                .forEach(key -> all.put(key.substring(preset.length() + 1), PRESETS.getProperty(key)));
        if (all.isEmpty() && !preset.equals("events")) {
            throw new ValueException("preset '%s'".formatted(preset), "events, openai, openai-responses or anthropic");
        }
        all.putAll(parts);
        EventStream stream = new EventStream(
                part(all, "event"),
                part(all, "content").map(TokenSource::parse).orElse(List.of()),
                part(all, "count").map(text -> read("count", text, number -> Quantities.parseCount(number, 1))),
                part(all, "until"),
                part(all, "for").map(text -> read("for", text, time -> Quantities.parseDuration(time, false))),
                part(all, "sentAt").map(SentAt::parse),
                part(all, "reconnect").map(EventStream::flag).orElse(false));
        if (!all.isEmpty()) {
            throw new ValueException(
                    "part '%s'".formatted(all.keySet().iterator().next()),
                    "event, content, count, until, for, sentAt or reconnect");
        }
        return stream;
    }

    private static Optional<String> part(Map<String, String> parts, String name) {
        return Optional.ofNullable(parts.remove(name));
    }

    private static <T> T read(String part, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (ValueException e) {
            throw e.in("%s '%s'".formatted(part, text));
        }
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new ValueException("reconnect '%s'".formatted(text), "true or false");
        }
        return text.equals("true");
    }

    /**
     * Whether the events that count are tokens of a model.
     *
     * @return {@code false} if they may be anything
     */
    public boolean ofTokens() {
        return !content.isEmpty();
    }

    /**
     * Whether it is over before its server ends it.
     *
     * @return {@code false} if it is read to that end
     */
    public boolean endsItself() {
        return count.isPresent() || until.isPresent() || length.isPresent();
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return EventStreamText.write(this);
    }
}
