package io.phaseload.engine;

import io.phaseload.health.ThreadDelay;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Sample;
import io.phaseload.user.VirtualUser;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The part of one user's response times that the client itself may have caused. Of request <i>i</i>, all in
 * nanoseconds,
 *
 * <pre>
 * own_i = timer_i + max(lost_i, stalled_i), at most response_i
 * </pre>
 *
 * <ul>
 *   <li><b>timer</b>: the slip without the time to connect and without the wait for one of the streams that the target
 *       allows, if the user was free before the request was due. A request that was claimed late waited for the target,
 *       except for the user's own delay before: then it is min(slip<sub>i</sub>, own<sub>i−1</sub>). Of a request
 *       before that wasn't measured, own<sub>i−1</sub> is without its lost time.
 *   <li><b>lost</b>: the time that the user's thread, or its event loop, waited for a CPU or for the JVM between
 *       sending and the end of the response; of a loop, at most since it slept for the last time known. See
 *       {@link ThreadDelay}.
 *   <li><b>stalled</b>: the overlap with a stall of the whole process.
 * </ul>
 *
 * <p>The time in which the client computes isn't in it, nor is the target's own wait for a CPU that it shares with the
 * client. Owned by the user's thread or loop.
 */
public final class OwnTime {

    /** Requests of all users that are measured in a second, at most. */
    private static final int MOST_PER_SECOND = 2_000;

    private final PhaseRun phase;
    private final @Nullable ThreadDelay thread;
    private long mark = ThreadDelay.NONE;
    private long previousNanos;

    /**
     * Of a user of a phase.
     *
     * @param thread of the user or of its loop; {@code null} if its requests aren't measured
     */
    public OwnTime(PhaseRun phase, @Nullable ThreadDelay thread) {
        this.phase = phase;
        this.thread = thread;
    }

    /**
     * The time between measured requests of one of several threads.
     *
     * @param threads the number of threads that measure
     * @return in nanoseconds
     */
    public static long everyNanos(int threads) {
        return TimeUnit.SECONDS.toNanos(threads) / MOST_PER_SECOND;
    }

    /**
     * A request is about to be sent.
     *
     * @param now as {@link System#nanoTime()}
     */
    public void sending(long now) {
        if (thread != null) {
            mark = thread.mark(now);
        }
    }

    /**
     * Makes the sample of a request that has just ended, and lets the user know.
     *
     * @param user the user
     * @param readyNanos the time when its connection was ready
     * @param exchange the request's result
     * @return its sample
     */
    public Sample ended(VirtualUser user, long readyNanos, Exchange exchange) {
        boolean waited = user.waited();
        int operation = user.operation();
        long due = user.answered(readyNanos, exchange);
        return phase.sample(operation, due, exchange, ownNanos(waited, due, readyNanos, exchange));
    }

    private long ownNanos(boolean waited, long due, long readyNanos, Exchange exchange) {
        if (thread == null) {
            return Sample.OWN_UNKNOWN;
        }
        boolean measured = mark != ThreadDelay.NONE;
        long end = exchange.endNanos();
        long connecting = exchange.setUp() == null ? 0 : exchange.setUp().nanos();
        long slip = Math.max(0, readyNanos - connecting - due);
        long timer = waited ? slip : Math.min(slip, previousNanos);
        long stalled = phase.accounting().stalledNanos(exchange.readyNanos(), end);
        long own = timer + Math.max(measured ? thread.since(mark) : 0, stalled);
        mark = ThreadDelay.NONE;
        previousNanos = Math.min(own, Math.max(0, end - due));
        return measured ? previousNanos : Sample.OWN_UNKNOWN;
    }
}
