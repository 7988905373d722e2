package io.phaseload.health;

import java.time.Duration;

/**
 * How late an event loop was for its timers; of several loops, the latest one.
 *
 * @param late the total delay, counting delays of 10 ms or more
 * @param longest the longest delay
 */
public record LoopLag(Duration late, Duration longest) {

    /** No lag, or no loop. */
    public static final LoopLag NONE = new LoopLag(Duration.ZERO, Duration.ZERO);

    /**
     * Adds a delay.
     *
     * @param by the delay
     * @return a copy
     */
    public LoopLag plus(Duration by) {
        return new LoopLag(late.plus(by), longest.compareTo(by) >= 0 ? longest : by);
    }

    /**
     * Selects the loop that lagged more.
     *
     * @param other another one
     * @return one of the two
     */
    public LoopLag or(LoopLag other) {
        return late.compareTo(other.late) >= 0 ? this : other;
    }
}
