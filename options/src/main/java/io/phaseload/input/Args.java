package io.phaseload.input;

import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.List;

/** Checks of constructor arguments; each failure names the parameter, the value and the range. */
public final class Args {

    /** Keeps every point in time of a run well within the range of {@code System.nanoTime()}. */
    private static final Duration LONGEST = Duration.ofDays(30);

    private Args() {}

    /**
     * A number within its range.
     *
     * @param min the least that is allowed
     * @param max the most that is allowed
     * @throws IllegalArgumentException if it is out of range
     */
    public static long range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ValueException("%s %s".formatted(name, value), "%s to %s".formatted(min, max));
        }
        return value;
    }

    /**
     * A time above 0, of at most 30 days.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static Duration positive(String name, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new ValueException(
                    "%s %s".formatted(name, value), "more than 0 and at most %s days".formatted(LONGEST.toDays()));
        }
        return value;
    }

    /**
     * A text that isn't blank.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public static String notBlank(String name, String value) {
        if (value.isBlank()) {
            throw new ValueException(name, "some text");
        }
        return value;
    }

    /**
     * A list with at least one element.
     *
     * @param <T> the elements' type
     * @return an immutable copy
     * @throws IllegalArgumentException if it is empty
     */
    public static <T> List<T> notEmpty(String name, List<T> values) {
        if (values.isEmpty()) {
            throw new ValueException(name, "at least one");
        }
        return List.copyOf(values);
    }
}
