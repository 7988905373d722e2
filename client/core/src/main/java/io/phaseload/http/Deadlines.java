package io.phaseload.http;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends what takes too long: one thread that closes the socket of a connection whose deadline has
 * passed, which ends any blocked connect, handshake, read or write on it.
 *
 * <p>A deadline is for the whole of a response, not for each read, so a body that drips for ever
 * ends too. And reads carry no timeout of their own, which on the JDK's sockets costs two more
 * system calls a request.
 *
 * <p>Thread-safe. One for a phase; {@link #close()} ends its thread.
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
     * @param shortestNanos no deadline is set nearer than this, in nanoseconds; so long the thread
     *     may sleep
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
     * Ends whatever is still in flight some time from now; for a stop that mustn't wait for long
     * timeouts.
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
            // The clock first: a deadline read later is then past for certain.
            long now = System.nanoTime();
            boolean abandon = abandonAt != Long.MAX_VALUE && now - abandonAt >= 0;
            long wait = shortestNanos;
            for (Deadline deadline : deadlines) {
                wait = Math.min(wait, deadline.expire(now, abandon));
            }
            if (abandonAt != Long.MAX_VALUE) {
                // What begins to wait after this look must be found soon, too.
                wait = Math.min(wait, abandon ? 10_000_000L : abandonAt - now);
            }
            LockSupport.parkNanos(this, wait);
        }
    }

    /** Returns when no connection is touched any more; an interrupt is kept for later. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        // Not Thread.join, which an interrupt would end.
        ended.join();
    }
}
