package io.phaseload.http;

/**
 * When a kept connection counts as idle, for all engines: then the server may have closed it for
 * that, and a request that meets the end is sent again if it is idempotent.
 */
public final class IdleConnection {

    /**
     * No server closes a connection for having been idle for less, and what looks for its end costs
     * next to nothing of such a time.
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
     * Whether a response to a request that was sent on an idle connection is none: the server's
     * word before it closes what is idle to it, which crossed with the request.
     *
     * @param response a whole one
     * @return {@code true} for a {@code 408} that ends the connection
     */
    public static boolean isIdleTimeout(ResponseParser response) {
        return response.status() == REQUEST_TIMEOUT && !response.keepsConnection();
    }
}
