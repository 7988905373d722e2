package io.phaseload.measure;

import org.jspecify.annotations.Nullable;

/**
 * The result of one request. Points in time are those of {@link System#nanoTime()}.
 *
 * @param sentNanos when sending began on a connection that was ready; where none could be made,
 *     when the attempt began
 * @param timeToFirstByteNanos how long after that the first byte of a response was read, interim
 *     ones (1xx) among them; a duration, or {@link #NO_BYTE} if none came
 * @param endNanos when the last byte of the response had been read, or the failure was known; for a
 *     timeout, the limit itself
 * @param outcome how it ended
 * @param status of a complete response; else 0, whatever is given
 * @param bytesReceived bytes of the response as they came, header and body, with TLS taken off
 * @param setUp how the connection was made for this request, or {@code null} if it was there
 * @param reconnected whether the server had closed the connection before the request was sent, so
 *     that it went over a new one
 * @param resent how often it was sent beyond the first time: the server had closed the connection
 *     while it was idle, and it isn't known whether it had read the first one; or the client
 *     retried, followed a redirect or answered a challenge
 * @param instance what the response said of the instance that answered, or {@code null}
 * @param leaseNanos how long it waited for a connection of a pool before it was sent for the first
 *     time, connecting not included; a duration, or {@link #NO_POOL}
 */
public record Exchange(
        long sentNanos,
        long timeToFirstByteNanos,
        long endNanos,
        Outcome outcome,
        int status,
        long bytesReceived,
        @Nullable SetUp setUp,
        boolean reconnected,
        int resent,
        @Nullable InstanceState instance,
        long leaseNanos)
        implements SendResult {

    /** In the place of a time to the first byte. */
    public static final long NO_BYTE = -1;

    /** In the place of a wait for a connection, of a client that has a connection per user. */
    public static final long NO_POOL = -1;

    /** Drops the status of an incomplete response. */
    public Exchange {
        status = outcome.responded() ? status : 0;
    }

    /**
     * What a request came to for which no connection could be made.
     *
     * @param startNanos when the attempt began
     * @param endNanos when the failure was known
     * @param outcome what became of the attempt
     * @param reconnected whether the server had closed the connection before
     * @return an exchange in which nothing was sent, so that nothing was sent twice
     */
    public static Exchange notConnected(
            long startNanos, long endNanos, Outcome outcome, boolean reconnected) {
        return new Exchange(
                startNanos, NO_BYTE, endNanos, outcome, 0, 0, null, reconnected, false, null);
    }

    /**
     * An exchange of a client that has a connection a user.
     *
     * @param sentNanos see {@link #sentNanos()}
     * @param timeToFirstByteNanos see {@link #timeToFirstByteNanos()}
     * @param endNanos see {@link #endNanos()}
     * @param outcome see {@link #outcome()}
     * @param status see {@link #status()}
     * @param bytesReceived see {@link #bytesReceived()}
     * @param setUp see {@link #setUp()}
     * @param reconnected see {@link #reconnected()}
     * @param resent whether it was sent twice
     * @param instance see {@link #instance()}
     */
    public Exchange(
            long sentNanos,
            long timeToFirstByteNanos,
            long endNanos,
            Outcome outcome,
            int status,
            long bytesReceived,
            @Nullable SetUp setUp,
            boolean reconnected,
            boolean resent,
            @Nullable InstanceState instance) {
        this(
                sentNanos,
                timeToFirstByteNanos,
                endNanos,
                outcome,
                status,
                bytesReceived,
                setUp,
                reconnected,
                resent ? 1 : 0,
                instance,
                NO_POOL);
    }

    /**
     * When the request's own time began: a wait for a connection of a pool belongs to it, making
     * the connection doesn't.
     *
     * @return when it was sent, less that wait
     */
    public long readyNanos() {
        return sentNanos - Math.max(0, leaseNanos);
    }

    /**
     * How long it took to make the connection for this request.
     *
     * @return in nanoseconds, or 0 if it was there
     */
    public long setUpNanos() {
        return setUp == null ? 0 : setUp.nanos();
    }

    /**
     * How long the parts of making a connection took, in nanoseconds.
     *
     * @param lookUpNanos finding the host's addresses, or −1 if it can't be told from the rest
     * @param connectNanos TCP's handshake, with attempts at addresses that failed; without TLS,
     *     until HTTP/2's settings came
     * @param tlsNanos TLS's handshake, until HTTP/2's settings came, or −1 without TLS
     */
    public record SetUp(long lookUpNanos, long connectNanos, long tlsNanos) {

        /**
         * All of it.
         *
         * @return the parts' sum, in nanoseconds
         */
        public long nanos() {
            return Math.max(0, lookUpNanos) + connectNanos + Math.max(0, tlsNanos);
        }
    }
}
