package io.phaseload.user;

import io.phaseload.measure.Exchange;
import java.time.Duration;

/**
 * Whether a run's target can be reached at all. Shared by the run's users. Thread-safe.
 *
 * <p>As long as no connection could be made, each user tries less and less often, and after a while the run gives up.
 */
public final class Reachability {

    private static final long GIVE_UP_NANOS = Duration.ofSeconds(5).toNanos();

    private final boolean keepGoing;
    private volatile boolean reached;
    private volatile boolean failed;
    private volatile boolean gaveUp;

    /**
     * For a new run.
     *
     * @param keepGoing true if the run never gives up
     */
    public Reachability(boolean keepGoing) {
        this.keepGoing = keepGoing;
    }

    /**
     * Gives up if the target hasn't been reached for too long.
     *
     * @param elapsedNanos the time that phases have run so far, in total
     */
    public boolean givesUp(long elapsedNanos) {
        if (!keepGoing && failed && !reached && elapsedNanos >= GIVE_UP_NANOS) {
            gaveUp = true;
        }
        return gaveUp;
    }

    /**
     * Whether the run has given up.
     *
     * @return {@code false} until {@link #givesUp} returned {@code true}
     */
    public boolean gaveUp() {
        return gaveUp;
    }

    /**
     * One user's back-off.
     *
     * @param always true to back off even from a target that was reached before
     * @param endNanos the phase's end, as {@link System#nanoTime()}
     * @return a back-off that hasn't seen a failure
     */
    Backoff newBackoff(boolean always, long endNanos) {
        return new Backoff(this, always, endNanos);
    }

    /** Records an attempt. */
    public boolean reachedBy(Exchange exchange) {
        if (exchange.outcome().unreachable()) {
            failed = true;
            return false;
        }
        // A failure of the client's own machine says nothing about the target.
        if (exchange.setUp() != null || exchange.bytesReceived() > 0) {
            reach();
        }
        return true;
    }

    /** Records that somebody has reached the target. */
    public void reach() {
        if (!reached) {
            reached = true;
        }
    }

    /** Whether anybody has reached the target. */
    boolean reached() {
        return reached;
    }
}
