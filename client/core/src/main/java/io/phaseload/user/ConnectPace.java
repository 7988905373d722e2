package io.phaseload.user;

import io.phaseload.schedule.Rate;

/**
 * Hands out turns at opening a connection, at most so many in a time. What wasn't used isn't made
 * up for: after a quiet time there is no burst. Thread-safe; one for all users of a phase.
 */
public final class ConnectPace {

    private final long gapNanos;
    // Guarded by this: the next turn, once there was a first.
    private long nextNanos;
    private boolean begun;

    /**
     * Begins with a turn at once.
     *
     * @param rate how many connections in a time, failed attempts among them
     */
    public ConnectPace(Rate rate) {
        long per = rate.per().toNanos();
        this.gapNanos = (per - 1) / rate.events() + 1;
    }

    /**
     * Takes the next turn.
     *
     * @param now as {@link System#nanoTime()}
     * @return when the caller may begin to connect, {@code now} or later; a caller that doesn't
     *     leaves its turn unused
     */
    public synchronized long next(long now) {
        long turn = begun && nextNanos - now > 0 ? nextNanos : now;
        begun = true;
        nextNanos = turn + gapNanos;
        return turn;
    }
}
