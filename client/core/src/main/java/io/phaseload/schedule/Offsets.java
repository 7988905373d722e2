package io.phaseload.schedule;

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
}
