package io.phaseload.plan.stream;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    private static final Map<String, Map<String, String>> PRESETS = Map.of(
            "events",
            Map.of(),
            "openai",
            Map.of(
                    "content",
                    "/choices/0/delta/content,/choices/0/delta/reasoning_content,"
                            + "/choices/0/delta/reasoning,/choices/0/delta/refusal,"
                            + "/choices/0/delta/tool_calls/0/function/name,"
                            + "/choices/0/delta/tool_calls/0/function/arguments",
                    "until",
                    "[DONE]"),
            "openai-responses",
            Map.of(
                    "content",
                    "response.output_text.delta:/delta,"
                            + "response.reasoning_text.delta:/delta,"
                            + "response.reasoning_summary_text.delta:/delta,"
                            + "response.refusal.delta:/delta,"
                            + "response.output_item.added:/item/name,"
                            + "response.function_call_arguments.delta:/delta",
                    "until",
                    "response.completed,response.incomplete"),
            "anthropic",
            Map.of(
                    "content",
                    "content_block_delta:/delta/text,content_block_delta:/delta/thinking,"
                            + "content_block_start:/content_block/name,"
                            + "content_block_delta:/delta/partial_json",
                    "until",
                    "message_stop"));

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
        if (!PRESETS.containsKey(preset)) {
            throw new ValueException("preset '%s'".formatted(preset), "events, openai, openai-responses or anthropic");
        }
        all.putAll(PRESETS.get(preset));
        all.putAll(parts);
        EventStream stream = new EventStream(
                part(all, "event"),
                part(all, "content").map(TokenSource::parse).orElse(List.of()),
                part(all, "count").map(EventStream::number),
                part(all, "until"),
                part(all, "for").map(EventStream::time),
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

    private static long number(String text) {
        try {
            return Quantities.parseCount(text, 1);
        } catch (ValueException e) {
            throw e.in("count '%s'".formatted(text));
        }
    }

    private static Duration time(String text) {
        try {
            return Quantities.parseDuration(text, false);
        } catch (ValueException e) {
            throw e.in("for '%s'".formatted(text));
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
