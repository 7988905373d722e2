package io.phaseload.user;

import java.time.Duration;

/**
 * The lateness to expect of a timer. Linux wakes threads 50 µs late by default, and an idle CPU takes as long to begin.
 * A timer is set earlier by the usual lateness, and the rest is spent spinning: a few microseconds, since wake-ups
 * differ by little. Used by one thread.
 */
public final class TimerLead {

    /** Greater lateness has other causes, which spinning would make worse. */
    private static final long MOST_NANOS = Duration.ofNanos(100_000).toNanos();

    /** A wake-up counts for this part of the estimate. */
    private static final long SHARE = 8;

    private long nanos;

    /**
     * The time by which to set a timer earlier.
     *
     * @return in nanoseconds: 0 to 100 µs
     */
    public long nanos() {
        return nanos;
    }

    /**
     * A timer has ended.
     *
     * @param lateNanos after the time that it was set to
     */
    public void woke(long lateNanos) {
        nanos += (Math.max(0, Math.min(lateNanos, MOST_NANOS)) - nanos) / SHARE;
    }
}
