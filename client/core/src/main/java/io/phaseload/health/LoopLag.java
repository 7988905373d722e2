package io.phaseload.health;

import java.time.Duration;

/**
 * How late an event loop was with what it had to do at a given time; of several, the latest one.
 *
 * @param late time that it was late by, as far as it was late by 10 ms or more
 * @param longest the most that it was late by
 */
public record LoopLag(Duration late, Duration longest) {

    /** It wasn't late, or there is none. */
    public static final LoopLag NONE = new LoopLag(Duration.ZERO, Duration.ZERO);

    /**
     * The loop was late once more.
     *
     * @param by how much
     * @return a copy
     */
    public LoopLag plus(Duration by) {
        return new LoopLag(late.plus(by), longest.compareTo(by) >= 0 ? longest : by);
    }

    /**
     * Of two loops the one that was later.
     *
     * @param other another one
     * @return one of both
     */
    public LoopLag or(LoopLag other) {
        return late.compareTo(other.late) >= 0 ? this : other;
    }
}
