package io.phaseload.user;

import io.phaseload.measure.Exchange;
import java.time.Duration;

/**
 * One user's back-off from an unreachable target: the pause doubles with each failure in a row. Owned by one thread.
 */
final class Backoff {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Reachability target;
    private final boolean always;
    private final long endNanos;
    private long pauseNanos;

    Backoff(Reachability target, boolean always, long endNanos) {
        this.target = target;
        this.always = always;
        this.endNanos = endNanos;
    }

    /**
     * When the user may go on.
     *
     * @param exchange the result of its last request
     * @return the request's end, or later, but no later than the phase's end
     */
    long until(Exchange exchange) {
        if (target.reachedBy(exchange)) {
            pauseNanos = 0;
            return exchange.endNanos();
        }
        if (target.reached() && !always) {
            return exchange.endNanos();
        }
        pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, pauseNanos * 2));
        long until = exchange.endNanos() + pauseNanos;
        return until - endNanos < 0 ? until : endNanos;
    }
}
