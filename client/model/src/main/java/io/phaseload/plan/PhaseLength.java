package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import java.time.Duration;

/** The length of a phase: a number of iterations or requests, or a time. */
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
            Limit.ITERATIONS.check(perUser);
        }
    }

    /**
     * All users together send this many requests, of a plan with journeys run this many of them. In a closed model they
     * are dealt to the users as evenly as possible before the phase begins.
     *
     * @param count 1 to 1,000,000,000; in a closed model a multiple of the requests of an iteration
     */
    record Total(long count) implements PhaseLength {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the number is out of range
         */
        public Total {
            Limit.TOTAL.check(count);
        }
    }

    /**
     * Users start iterations until this much time has passed since the phase's start, and finish the last one. An open
     * phase lasts the whole time, even if its last request ends earlier.
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
