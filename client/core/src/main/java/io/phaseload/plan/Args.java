package io.phaseload.plan;

import java.time.Duration;
import java.util.List;

/** Checks of constructor arguments; each failure names the parameter, the value and the range. */
final class Args {

    /** Keeps every point in time of a run far inside the range of {@code System.nanoTime()}. */
    private static final Duration LONGEST = Duration.ofDays(30);

    private Args() {}

    static long range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s %s: expected %s to %s".formatted(name, value, min, max));
        }
        return value;
    }

    static Duration positive(String name, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s %s: expected more than 0 and at most %s days"
                            .formatted(name, value, LONGEST.toDays()));
        }
        return value;
    }

    static String notBlank(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + ": expected some text");
        }
        return value;
    }

    static <T> List<T> notEmpty(String name, List<T> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException(name + ": expected at least one");
        }
        return List.copyOf(values);
    }
}
