package io.phaseload.http;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Enforces deadlines: one thread closes sockets whose deadline has passed, which ends any blocked connect, handshake,
 * read or write.
 *
 * <p>A deadline limits the whole response, not each read, so that a body can't trickle for ever. And reads need no
 * timeout, which on the JDK's sockets costs two more system calls per request.
 *
 * <p>Thread-safe. One per phase; {@link #close()} ends its thread.
 */
public final class Deadlines implements AutoCloseable {

    private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
    private final long shortestNanos;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long abandonAt = Long.MAX_VALUE;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param shortestNanos the shortest deadline, in nanoseconds, for which the thread may sleep
     */
    public Deadlines(long shortestNanos) {
        this.shortestNanos = shortestNanos;
        this.thread = new Thread(this::run, "phaseload-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Watches a deadline from now on.
     *
     * @param deadline of one user
     */
    public void add(Deadline deadline) {
        deadlines.add(deadline);
    }

    /**
     * Watches a deadline no more.
     *
     * @param deadline that was added
     */
    public void remove(Deadline deadline) {
        deadlines.remove(deadline);
    }

    /**
     * Cuts off whatever is still in flight after some time, so that a stop doesn't have to wait for long timeouts.
     *
     * @param nanos from now
     */
    public void abandonAfter(long nanos) {
        abandonAt = System.nanoTime() + nanos;
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            watch();
        } finally {
            ended.complete(null);
        }
    }

    private void watch() {
        while (!closed) {
            // Read the clock first: a deadline that is read later has certainly passed then.
            long now = System.nanoTime();
            boolean abandon = abandonAt != Long.MAX_VALUE && now - abandonAt >= 0;
            long wait = shortestNanos;
            for (Deadline deadline : deadlines) {
                wait = Math.min(wait, deadline.expire(now, abandon));
            }
            if (abandonAt != Long.MAX_VALUE) {
                // Waits that begin after this check must be found soon, too.
                wait = Math.min(wait, abandon ? 10_000_000L : abandonAt - now);
            }
            LockSupport.parkNanos(this, wait);
        }
    }

    /** Returns once no connection will be touched any more; an interrupt is kept for later. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        // Not Thread.join, which an interrupt would end early.
        ended.join();
    }
}
