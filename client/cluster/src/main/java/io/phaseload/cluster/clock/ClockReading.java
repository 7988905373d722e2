package io.phaseload.cluster.clock;

import java.util.Optional;

/**
 * The bounds that exchanges prove for the clocks of two members at a time.
 *
 * @param seconds since the beginning
 * @param offset of {@link System#nanoTime()}: by how much the first is ahead
 * @param wallAhead by how many nanoseconds its time of day is ahead, in the middle
 * @param wallError the largest error
 * @param kept by how much it is ahead as chrony says on both machines, if it does
 */
public record ClockReading(
        String of,
        String against,
        double seconds,
        ClockOffset offset,
        long wallAhead,
        long wallError,
        Optional<TimeService> kept) {}
