package io.phaseload.user;

import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one user, one iteration after another. Like {@link VirtualUser}, it reads no clock and is owned by
 * one thread.
 */
public sealed interface Course permits FixedCourse, JourneyCourse {

    /** In the place of a pause: the iteration is over, or can't begin. */
    long OVER = -1;

    /**
     * Begins the next iteration.
     *
     * @param turn decides which journey it is, if there are several: the user's index, or the arrival's
     * @return the pause before its first request in nanoseconds, or {@link #OVER} if there is no data for it
     */
    long begin(long turn, long left);

    /** The request to send now: its index in the scenario. */
    int operation();

    /** The session of the request; {@code null} if it is the same each time. */
    @Nullable Session session();

    /** The place of the request to send now in a trace; {@code null} without one. To be called once a request. */
    @Nullable TraceContext trace();

    /**
     * The request has ended.
     *
     * @param exchange its result
     * @return the pause before the next one in nanoseconds, or {@link #OVER}
     */
    long answered(long dueNanos, Exchange exchange);

    /**
     * The request can't be written with the session's values.
     *
     * @return as {@link #answered}
     */
    long refused();

    /** How long the iteration goes on after its last request, in nanoseconds. */
    long restNanos();
}
