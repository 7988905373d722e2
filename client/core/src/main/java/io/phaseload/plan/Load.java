package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.schedule.Schedule;
import java.time.Duration;

/** What makes a phase's users send: the end of their last request, or a schedule. */
public sealed interface Load {

    /**
     * A closed model: a user begins its next iteration when its last one has ended.
     *
     * @param think from the end of an iteration to the intended start of the next
     * @param pacing from the start of an iteration to the intended start of the next, unless the
     *     iteration takes longer; at most one of both isn't {@link Pause#NONE}
     * @param ramp users begin one after another, evenly over this time from the phase's start
     */
    record Closed(Pause think, Pause pacing, Duration ramp) implements Load {

        /** Users begin at once and don't pause. */
        public static final Closed AT_ONCE = new Closed(Pause.NONE, Pause.NONE, Duration.ZERO);

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if there are both think time and pacing, or the ramp is
         *     negative
         */
        public Closed {
            if (!think.isNone() && !pacing.isNone()) {
                throw new IllegalArgumentException(
                        "think %s cannot be combined with pacing".formatted(think));
            }
            if (!ramp.isZero()) {
                Args.positive("ramp", ramp);
            }
        }
    }

    /**
     * An open model: requests are meant to be sent at the schedule's times, any free user sends
     * them, and operations take turns.
     *
     * @param schedule of the whole phase, not of one user
     * @param overload what happens to a request for which no user is free at its time
     */
    record Open(Schedule schedule, Overload overload) implements Load {}

    /** What becomes of a request for which no user is free at its intended time. */
    enum Overload {
        /** It waits until a user is free; its slip tells how long. */
        QUEUE,
        /** It isn't sent, and counted as dropped, if no user is free within 1 ms of its time. */
        DROP
    }
}
