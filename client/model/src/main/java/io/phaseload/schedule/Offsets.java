package io.phaseload.schedule;

import java.util.function.LongUnaryOperator;

/**
 * A sequence of intended starts. Not thread-safe.
 *
 * <p>The contract: offsets begin at 0 or later and never decrease; after {@link #END}, every further call returns
 * {@link #END}.
 */
@FunctionalInterface
public interface Offsets {

    /** The value of {@link #nextNanos()} when there is no next start. */
    long END = Long.MAX_VALUE;

    /**
     * The next intended start.
     *
     * @return nanoseconds since the phase's start, or {@link #END}
     */
    long nextNanos();

    /**
     * The sequence of starts that a formula has.
     *
     * @param offset the offset of the start with an index, from 0
     * @return the sequence from its beginning
     */
    static Offsets of(LongUnaryOperator offset) {
        long[] index = {0};
        return () -> offset.applyAsLong(index[0]++);
    }
}
