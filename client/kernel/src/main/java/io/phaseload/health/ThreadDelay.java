package io.phaseload.health;

import io.phaseload.host.LostTime;
import java.io.Closeable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The delays that one thread adds to the responses that it receives: it waited for a CPU, or the JVM had stopped it.
 * Measured for some of its requests, with two system calls for each of these and none for the others. Used by that
 * thread alone.
 */
public final class ThreadDelay implements Closeable {

    /** The mark of a request that isn't measured. */
    public static final long NONE = -1;

    /** Measured requests after which the share of requests that are measured is adapted. */
    private static final int WINDOW = 32;

    private static final int MOST_STRIDE = 1 << 16;

    private final LostTime lost = LostTime.ofThisThread();
    private final long everyNanos;
    private long sinceNanos = System.nanoTime();
    private int measured;
    // The mean number of requests from one that is measured to the next one.
    private int stride = 1;
    private int left = 1;

    private ThreadDelay(long everyNanos) {
        this.everyNanos = everyNanos;
    }

    /**
     * Begins to measure the calling thread, which must be a platform thread: no system reports the waits of a virtual
     * one.
     *
     * @param everyNanos the mean time from one measured request to the next, at least
     * @return a meter that must be closed
     */
    public static ThreadDelay ofThisThread(long everyNanos) {
        return new ThreadDelay(everyNanos);
    }

    /**
     * A request is about to be sent.
     *
     * @param now as {@link System#nanoTime()}
     * @return to be given to {@link #since}; {@link #NONE} if the request isn't to be measured
     */
    public long mark(long now) {
        left--;
        if (left > 0) {
            return NONE;
        }
        measured++;
        if (measured == WINDOW) {
            adapt(now);
        }
        // At random, since operations take turns.
        left = stride == 1 ? 1 : ThreadLocalRandom.current().nextInt(1, 2 * stride);
        return lost.read();
    }

    private void adapt(long now) {
        long elapsed = now - sinceNanos;
        if (elapsed < WINDOW * everyNanos) {
            stride = Math.min(2 * stride, MOST_STRIDE);
        } else if (elapsed > 4 * WINDOW * everyNanos && stride > 1) {
            stride /= 2;
        }
        sinceNanos = now;
        measured = 0;
    }

    /**
     * The thread's delay to a response that it has just received: at most the time that it lost since it sent the
     * request, and since it slept for the last time known.
     *
     * @param mark of the request, not {@link #NONE}
     * @return in nanoseconds; 0 or more
     */
    public long since(long mark) {
        long now = lost.read();
        return now - Math.max(mark, lost.beforeTurn());
    }

    /** Closes its file. */
    @Override
    public void close() {
        lost.close();
    }
}
