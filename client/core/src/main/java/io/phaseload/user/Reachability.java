package io.phaseload.user;

import io.phaseload.measure.Exchange;
import java.time.Duration;

/**
 * Whether the run's target can be reached at all. Of one run, shared by its users. Thread-safe.
 *
 * <p>Each user tries a target to which no connection could be made yet less and less often, and
 * after a while the run gives it up.
 */
public final class Reachability {

    /** Why requests weren't sent to a target that was given up. */
    public static final String UNREACHABLE = "target unreachable";

    private static final long GIVE_UP_NANOS = Duration.ofSeconds(5).toNanos();

    private final boolean keepGoing;
    private volatile boolean reached;
    private volatile boolean failed;
    private volatile boolean gaveUp;

    /**
     * Of a run that begins.
     *
     * @param keepGoing whether the target is never given up
     */
    public Reachability(boolean keepGoing) {
        this.keepGoing = keepGoing;
    }

    /**
     * Gives the target up if nothing was reached for so long that nothing will be.
     *
     * @param elapsedNanos how long phases have run so far, all together
     * @return whether it is given up
     */
    public boolean givesUp(long elapsedNanos) {
        if (!keepGoing && failed && !reached && elapsedNanos >= GIVE_UP_NANOS) {
            gaveUp = true;
        }
        return gaveUp;
    }

    /**
     * Whether the target was given up.
     *
     * @return {@code false} until {@link #givesUp} returned {@code true}
     */
    public boolean gaveUp() {
        return gaveUp;
    }

    /**
     * One user's back-off.
     *
     * @param always whether also from a target that was reached before
     * @param endNanos the phase's end, as {@link System#nanoTime()}
     * @return a back-off that has seen no failure
     */
    Backoff newBackoff(boolean always, long endNanos) {
        return new Backoff(this, always, endNanos);
    }

    /** Takes note of an attempt; returns whether the target was reached by this one. */
    boolean reachedBy(Exchange exchange) {
        if (exchange.outcome().unreachable()) {
            failed = true;
            return false;
        }
        // What the client's own machine couldn't do tells nothing of the target.
        if (!reached && (exchange.setUp() != null || exchange.bytesReceived() > 0)) {
            reached = true;
        }
        return true;
    }

    /** Whether anybody has reached the target. */
    boolean reached() {
        return reached;
    }
}
