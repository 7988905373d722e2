package io.phaseload.schedule;

/**
 * A rule for when requests are meant to be sent, independent of when others end: an open model.
 * Immutable.
 */
public sealed interface Schedule
        permits ConstantArrivals, PoissonArrivals, RampArrivals, StepArrivals, BurstArrivals {

    /**
     * Begins the sequence.
     *
     * @return the same sequence at each call
     */
    Offsets offsets();

    /**
     * How many starts come before a time: what calling {@link #offsets()} so often would count,
     * without as many calls.
     *
     * @param nanos since the phase's start; {@link Offsets#END} for all of them
     * @param atMost where counting ends, 0 or more
     * @return the number of starts, at most {@code atMost}
     */
    long startsBefore(long nanos, long atMost);

    /**
     * This schedule at a part of its rate, as a phase's share asks for.
     *
     * @param share above 0
     * @return a schedule whose rate is this one's times the share at every time
     */
    Schedule times(double share);
}
