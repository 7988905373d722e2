package io.phaseload.schedule;

import io.phaseload.options.ValueException;
import java.time.Duration;

/** The check of a schedule's lengths. */
final class Lengths {

    private Lengths() {}

    static void check(Duration length) {
        if (length.isZero() || length.isNegative()) {
            throw new ValueException("length " + length, "more than 0");
        }
    }
}
