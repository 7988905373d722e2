package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.settings.Setting;
import java.time.Duration;

/** How long a phase lasts: a number of iterations, or a time. */
public sealed interface PhaseLength {

    /**
     * Every user runs this many iterations.
     *
     * @param perUser 1 to 1,000,000,000
     */
    record Iterations(long perUser) implements PhaseLength {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the number is out of range
         */
        public Iterations {
            Setting.ITERATIONS.check(perUser);
        }
    }

    /**
     * Users start iterations until this much time has passed since the phase's start, and finish
     * the last one. An open phase lasts the whole time, even if its last request ends earlier.
     *
     * @param duration more than 0, at most 30 days
     */
    record Lasting(Duration duration) implements PhaseLength {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the duration is out of range
         */
        public Lasting {
            Args.positive("duration", duration);
        }
    }
}
