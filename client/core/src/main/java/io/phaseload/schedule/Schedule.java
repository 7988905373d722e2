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
     * This schedule at a part of its rate, as a phase's share asks for.
     *
     * @param share above 0
     * @return a schedule whose rate is this one's times the share at every time
     */
    Schedule times(double share);
}
