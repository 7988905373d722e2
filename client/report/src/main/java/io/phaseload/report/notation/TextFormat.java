package io.phaseload.report.notation;

import java.time.Duration;
import java.util.Locale;

/** Numbers in texts, which are the same in every locale. */
public final class TextFormat {

    private TextFormat() {}

    public static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    public static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
