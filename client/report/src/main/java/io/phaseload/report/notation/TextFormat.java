package io.phaseload.report.notation;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Numbers in texts, which are the same in every locale. */
public final class TextFormat {

    private TextFormat() {}

    public static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    public static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /**
     * Joins those parts that aren't empty.
     *
     * @param separator the text between two parts
     * @return the parts in their order
     */
    public static String joined(String separator, String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(separator));
    }
}
