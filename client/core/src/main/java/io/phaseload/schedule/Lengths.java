package io.phaseload.schedule;

import java.time.Duration;

/** The check of a schedule's lengths. */
final class Lengths {

    private Lengths() {}

    static void check(Duration length) {
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("length %s: expected more than 0".formatted(length));
        }
    }
}
