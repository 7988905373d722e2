package io.phaseload.plan.stream;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A place in events where a model's text is: {@code /delta/text}, or {@code response.output_text.delta:/delta} in
 * events of that type alone.
 *
 * @param type of the events; empty for any
 * @param pointer to a text in their data, as a JSON Pointer (RFC 6901)
 */
public record TokenSource(Optional<String> type, String pointer) {

    private static final Pattern NEXT = Pattern.compile(",(?=(?:[^,/]+:)?/)");
    private static final Pattern TEXT = Pattern.compile("(?:([^,/]+):)?(/.*)");

    /**
     * Checks the pointer.
     *
     * @throws IllegalArgumentException naming it
     */
    public TokenSource {
        SentAt.checkPointer("content", pointer);
    }

    /**
     * Reads a list.
     *
     * @param text such as {@code /delta/text,/delta/thinking}
     * @throws IllegalArgumentException naming what isn't allowed
     */
    static List<TokenSource> parse(String text) {
        return Arrays.stream(NEXT.split(text)).map(TokenSource::one).toList();
    }

    private static TokenSource one(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new TokenSource(Optional.ofNullable(parts.group(1)), parts.group(2))
                : new TokenSource(Optional.empty(), text);
    }

    /** The form that {@link #parse} reads. */
    static String write(List<TokenSource> sources) {
        return sources.stream().map(TokenSource::toString).collect(Collectors.joining(","));
    }

    /** The form of a plan. */
    @Override
    public String toString() {
        return type.map(name -> name + ":").orElse("") + pointer;
    }
}
