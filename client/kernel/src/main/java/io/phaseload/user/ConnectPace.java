package io.phaseload.user;

import io.phaseload.schedule.Rate;

/**
 * Hands out turns to open a connection, at a limited rate. Unused turns are lost: there is no burst after a quiet time.
 * Thread-safe; shared by all users of a phase.
 */
public final class ConnectPace {

    private final long gapNanos;
    // Guarded by this: the next turn, once there has been one.
    private long nextNanos;
    private boolean begun;

    /**
     * The first turn comes at once.
     *
     * @param rate the most connections per time, including failed attempts
     */
    public ConnectPace(Rate rate) {
        long per = rate.per().toNanos();
        this.gapNanos = (per - 1) / rate.events() + 1;
    }

    /**
     * Takes the next turn.
     *
     * @param now as {@link System#nanoTime()}
     * @return the time when the caller may connect, {@code now} or later; if it doesn't, its turn is lost
     */
    public synchronized long next(long now) {
        long turn = begun && nextNanos - now > 0 ? nextNanos : now;
        begun = true;
        nextNanos = turn + gapNanos;
        return turn;
    }
}
