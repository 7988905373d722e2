package io.phaseload.schedule;

/** When the requests of an open model are due, whenever earlier ones end. Immutable. */
public sealed interface Schedule permits ConstantArrivals, PoissonArrivals, RampArrivals, StepArrivals, BurstArrivals {

    /**
     * Begins the sequence.
     *
     * @return the same sequence at each call
     */
    Offsets offsets();

    /**
     * How many starts come before a time: the same as counting {@link #offsets()}, but faster.
     *
     * @param nanos since the phase's start; {@link Offsets#END} for all of them
     * @param atMost the end of the count, 0 or more
     * @return the number of starts, at most {@code atMost}
     */
    long startsBefore(long nanos, long atMost);

    /**
     * The rate at a time.
     *
     * @param nanos since the schedule's start
     * @return starts per second, on average
     */
    double perSecond(long nanos);
}
