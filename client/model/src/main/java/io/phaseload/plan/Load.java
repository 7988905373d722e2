package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.schedule.Schedule;
import java.time.Duration;

/** When the users of a phase send: after their last request, or by a schedule. */
public sealed interface Load {

    /**
     * A closed model: a user begins its next iteration when its last one has ended.
     *
     * @param think the pause from the end of an iteration to the intended start of the next
     * @param pacing the time from the start of an iteration to the intended start of the next, unless the iteration
     *     takes longer; at most one of the two differs from {@link Pause#NONE}
     * @param ramp users start one after another, evenly over this time from the phase's start
     */
    record Closed(Pause think, Pause pacing, Duration ramp) implements Load {

        /** Users start at once and don't pause. */
        public static final Closed AT_ONCE = new Closed(Pause.NONE, Pause.NONE, Duration.ZERO);

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if both think time and pacing are given, or the ramp is negative
         */
        public Closed {
            if (!think.isNone() && !pacing.isNone()) {
                throw new IllegalArgumentException("think %s cannot be combined with pacing".formatted(think));
            }
            if (!ramp.isZero()) {
                Args.positive("ramp", ramp);
            }
        }
    }

    /**
     * An open model: requests are due at the schedule's times, any free user sends them, and operations take turns.
     *
     * @param schedule of the whole phase, not of one user
     * @param overload the treatment of a request that is due while no user is free
     */
    record Open(Schedule schedule, Overload overload) implements Load {}

    /** The treatment of a request that is due while no user is free. */
    enum Overload {
        /** It is sent late, as soon as a user is free; its slip says how late. */
        QUEUE,
        /** It is dropped, and counted as such, if no user becomes free within 1 ms. */
        DROP
    }
}
