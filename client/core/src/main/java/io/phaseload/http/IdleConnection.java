package io.phaseload.http;

/**
 * How it is told that a server had ended a kept connection before it got a request, for all
 * engines. If the connection was idle, the server may have timed it out, and a request that meets
 * its end is sent again if it is idempotent.
 */
public final class IdleConnection {

    /**
     * No server times a connection out after less, and next to such a pause it costs nothing to
     * look for its end.
     */
    private static final long NANOS = 10_000_000L;

    private static final int REQUEST_TIMEOUT = 408;

    private IdleConnection() {}

    /**
     * Whether a connection was idle.
     *
     * @param sinceNanos when its last response had been read, as {@link System#nanoTime()}
     * @param now the same clock, before the next request is sent
     * @return {@code false} for one in steady use
     */
    public static boolean wasIdle(long sinceNanos, long now) {
        return now - sinceNanos >= NANOS;
    }

    /**
     * How long to wait for the reset that answers a request behind the connection's end. It needs a
     * round trip; making the connection took at least one.
     *
     * @param setUpNanos how long making it took
     * @return 1 ms to 1 s, in nanoseconds
     */
    public static long resetWaitNanos(long setUpNanos) {
        return Math.max(1_000_000L, Math.min(2 * setUpNanos, 1_000_000_000L));
    }

    /**
     * Whether a response to a request on an idle connection doesn't answer it: the server timed the
     * connection out, and its {@code 408} crossed with the request.
     *
     * @param response a complete one
     * @return {@code true} for a {@code 408} that ends the connection
     */
    public static boolean isIdleTimeout(ResponseParser response) {
        return response.status() == REQUEST_TIMEOUT && !response.keepsConnection();
    }
}
