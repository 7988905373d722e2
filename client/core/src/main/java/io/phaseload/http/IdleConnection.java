package io.phaseload.http;

import io.phaseload.http.response.ResponseParser;

/**
 * How all engines tell that a server closed a kept connection before it got a request. If the
 * connection was idle, the server may have timed it out; a request that was lost that way is sent
 * again if it is idempotent.
 */
public final class IdleConnection {

    /** No server times a connection out earlier, and after such a pause the check costs nothing. */
    private static final long NANOS = 10_000_000L;

    private static final int REQUEST_TIMEOUT = 408;

    private IdleConnection() {}

    /**
     * Whether a connection was idle.
     *
     * @param sinceNanos when its last response had been read, as {@link System#nanoTime()}
     * @param now the same clock, just before the next request is sent
     * @return {@code false} for one in constant use
     */
    public static boolean wasIdle(long sinceNanos, long now) {
        return now - sinceNanos >= NANOS;
    }

    /**
     * How long to wait for the reset that answers a request sent after the connection's end. It
     * takes a round trip; connecting took at least one.
     *
     * @param setUpNanos how long connecting took
     * @return 1 ms to 1 s, in nanoseconds
     */
    public static long resetWaitNanos(long setUpNanos) {
        return Math.max(1_000_000L, Math.min(2 * setUpNanos, 1_000_000_000L));
    }

    /**
     * Whether a response on an idle connection isn't an answer to the request: the server timed the
     * connection out, and its {@code 408} crossed with the request.
     *
     * @param response a complete one
     * @return {@code true} for a {@code 408} that closes the connection
     */
    public static boolean isIdleTimeout(ResponseParser response) {
        return response.status() == REQUEST_TIMEOUT && !response.keepsConnection();
    }
}
