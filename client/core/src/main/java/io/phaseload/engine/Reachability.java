package io.phaseload.engine;

import io.phaseload.measure.Exchange;
import java.time.Duration;

/**
 * Whether the run's target can be reached at all. Of one run, shared by its users. Thread-safe.
 *
 * <p>A target to which no connection could be made yet is tried ever more seldom by each user, and
 * given up after a while.
 */
public final class Reachability {

    /** Why requests weren't sent to a target that was given up. */
    public static final String UNREACHABLE = "target unreachable";

    private static final long GIVE_UP_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final boolean keepGoing;
    private final long startNanos;
    private volatile boolean reached;
    private volatile boolean failed;
    private volatile boolean gaveUp;

    /**
     * Of a run that begins.
     *
     * @param keepGoing whether the target is never given up
     * @param startNanos the run's start, as {@link System#nanoTime()}
     */
    Reachability(boolean keepGoing, long startNanos) {
        this.keepGoing = keepGoing;
        this.startNanos = startNanos;
    }

    /** Gives the target up if nothing was reached for so long that nothing will be. */
    boolean givesUp(long now) {
        if (!keepGoing && failed && !reached && now - startNanos >= GIVE_UP_NANOS) {
            gaveUp = true;
        }
        return gaveUp;
    }

    boolean gaveUp() {
        return gaveUp;
    }

    /** Why requests aren't sent in a run that was stopped. */
    String reasonToStop() {
        return gaveUp ? UNREACHABLE : "interrupted";
    }

    /** How one user keeps away from a target that can't be reached. Owned by one thread. */
    public final class Backoff {

        private final boolean always;
        private long pauseNanos;

        /**
         * Of a user that has tried nothing.
         *
         * @param always whether it keeps away from a target that was reached before, too
         */
        public Backoff(boolean always) {
            this.always = always;
        }

        /**
         * How long the user is to pause.
         *
         * @param exchange what its last request came to
         * @return nanoseconds; 0 if the target was reached
         */
        public long after(Exchange exchange) {
            if (!exchange.outcome().unreachable()) {
                pauseNanos = 0;
                // What the client's own machine couldn't do tells nothing of the target.
                if (!reached && (exchange.setUp() != null || exchange.bytesReceived() > 0)) {
                    reached = true;
                }
                return 0;
            }
            failed = true;
            if (reached && !always) {
                return 0;
            }
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, pauseNanos * 2));
            return pauseNanos;
        }
    }
}
