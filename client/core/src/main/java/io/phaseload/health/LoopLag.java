package io.phaseload.health;

import java.time.Duration;

/**
 * How late an event loop was with what it had to do at a given time; of several, the latest one.
 *
 * @param late time that it was late by, as far as it was late by 10 ms or more
 * @param longest the most that it was late by
 */
public record LoopLag(Duration late, Duration longest) {

    /** No lag, or no loop. */
    public static final LoopLag NONE = new LoopLag(Duration.ZERO, Duration.ZERO);

    /**
     * The loop was late again.
     *
     * @param by how much
     * @return a copy
     */
    public LoopLag plus(Duration by) {
        return new LoopLag(late.plus(by), longest.compareTo(by) >= 0 ? longest : by);
    }

    /**
     * The loop of two that lagged more.
     *
     * @param other another one
     * @return one of both
     */
    public LoopLag or(LoopLag other) {
        return late.compareTo(other.late) >= 0 ? this : other;
    }
}
