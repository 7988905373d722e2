package io.phaseload.http;

import io.phaseload.http.response.ResponseParser;
import io.phaseload.measure.Outcome;

/**
 * Rules of all engines for a kept connection that ends: when a request may have crossed with the end, and when its
 * connection counts as idle.
 */
public final class IdleConnection {

    /** No server times a connection out earlier, and after such a pause the check costs nothing. */
    private static final long NANOS = 10_000_000L;

    /** After such a pause an end that came with the last response has arrived. */
    private static final long PAUSE_NANOS = 1_000_000L;

    /** A request up to this size fits into one packet, with TLS around it. */
    private static final int ONE_PACKET = 1_200;

    private static final int REQUEST_TIMEOUT = 408;

    private IdleConnection() {}

    /**
     * Whether a connection was idle.
     *
     * @param sinceNanos the time when its last response had been read, as {@link System#nanoTime()}
     * @param now the same clock, just before the next request is sent
     * @return {@code false} for one in constant use
     */
    public static boolean wasIdle(long sinceNanos, long now) {
        return now - sinceNanos >= NANOS;
    }

    /**
     * Whether the client looks for the end of a connection before it sends: some system calls, or a turn of an event
     * loop, which a user in a hurry doesn't pay for.
     *
     * @param sinceNanos as above
     * @param now as above
     * @return {@code true} after a pause of 1 ms or more
     */
    public static boolean mayHaveEnded(long sinceNanos, long now) {
        return now - sinceNanos >= PAUSE_NANOS;
    }

    /**
     * Whether a server gets a request in one piece, so that it can't have read a part of it before it closed.
     *
     * @param length of the request, in bytes
     * @return {@code true} up to 1,200 bytes
     */
    public static boolean isOnePacket(int length) {
        return length <= ONE_PACKET;
    }

    /**
     * The failure of a request whose kept connection ended without any byte of a response.
     *
     * @param setUpNanos the time that connecting took
     * @param sentNanos the time when the request was sent, as {@link System#nanoTime()}
     * @param endNanos the time when the end was seen, by the same clock
     * @return {@link Outcome.NoResponse#UNKNOWN_IF_READ} within a round trip; a reset after that, since the server then
     *     got the request
     */
    public static Outcome unanswered(long setUpNanos, long sentNanos, long endNanos) {
        return endNanos - sentNanos <= resetWaitNanos(setUpNanos)
                ? Outcome.NoResponse.UNKNOWN_IF_READ
                : new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE);
    }

    /**
     * How long to wait for the reset that answers a request sent after the connection's end. It takes a round trip;
     * connecting took at least one.
     *
     * @return 1 ms to 1 s, in nanoseconds
     */
    public static long resetWaitNanos(long setUpNanos) {
        return Math.max(1_000_000L, Math.min(2 * setUpNanos, 1_000_000_000L));
    }

    /**
     * Whether a response on an idle connection isn't an answer to the request: the server timed the connection out, and
     * its {@code 408} crossed with the request.
     *
     * @param response a complete one
     * @return {@code true} for a {@code 408} that closes the connection
     */
    public static boolean isIdleTimeout(ResponseParser response) {
        return response.status() == REQUEST_TIMEOUT && !response.keepsConnection();
    }
}
