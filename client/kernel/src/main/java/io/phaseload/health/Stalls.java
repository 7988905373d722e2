package io.phaseload.health;

import java.time.Duration;

/**
 * The times of a phase in which the client's process couldn't run, for any reason: other processes, a garbage
 * collection, a stop.
 *
 * @param count the number of stalls
 * @param total their total length
 * @param longest the length of the longest
 * @param stopped the part of the total in which the process used no CPU at all for a quarter of a second or more: it,
 *     or the whole machine, was stopped
 */
public record Stalls(long count, Duration total, Duration longest, Duration stopped) {

    /** No stalls. */
    public static final Stalls NONE = new Stalls(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Combines two processes, or two times of one.
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
