package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.time.Duration;

/**
 * A pause of a fixed or a uniformly distributed length.
 *
 * @param min the shortest, 0 or more
 * @param max the longest, at least {@code min}, at most 30 days
 */
public record Pause(Duration min, Duration max) {

    /** No pause at all. */
    public static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO);

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the values are out of range
     */
    public Pause {
        if (min.isNegative() || max.compareTo(min) < 0) {
            throw new ValueException("pause %s..%s".formatted(min, max), "0 or more, the shorter one first");
        }
        if (!max.isZero()) {
            Args.positive("pause", max);
        }
    }

    /**
     * The same length each time.
     *
     * @param length 0 or more
     * @throws IllegalArgumentException if the length is out of range
     */
    public static Pause of(Duration length) {
        return new Pause(length, length);
    }

    /** {@return {@code true} if it always lasts 0} */
    public boolean isNone() {
        return max.isZero();
    }
}
