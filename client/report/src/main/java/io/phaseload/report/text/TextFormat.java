package io.phaseload.report.text;

import java.time.Duration;
import java.util.Locale;

/** Numbers in texts, which are the same in every locale. */
final class TextFormat {

    private TextFormat() {}

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
