package io.phaseload.health;

import java.time.Duration;

/**
 * The stretches of a phase in which the client's process couldn't run, for any reason: other
 * processes, a garbage collection, a stop.
 *
 * @param count how many there were
 * @param total how long they lasted together
 * @param longest how long the longest lasted
 * @param stopped the part of the total in which the process used no CPU at all for a quarter of a
 *     second or more: stopped by a signal, or with the whole machine
 */
public record Stalls(long count, Duration total, Duration longest, Duration stopped) {

    /** No stalls. */
    public static final Stalls NONE = new Stalls(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Those of two processes, or of one after the other.
     *
     * @param other the other one's
     * @return their sums
     */
    Stalls plus(Stalls other) {
        return new Stalls(
                count + other.count,
                total.plus(other.total),
                longest.compareTo(other.longest) >= 0 ? longest : other.longest,
                stopped.plus(other.stopped));
    }
}
