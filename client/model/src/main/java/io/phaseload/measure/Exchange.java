package io.phaseload.measure;

import io.phaseload.timing.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * The result of one request. Points in time are those of {@link System#nanoTime()}.
 *
 * @param sentNanos the time when sending began on a ready connection; if no connection could be made, when the attempt
 *     began
 * @param timeToFirstByteNanos the time from then to the first byte of a response, including interim ones (1xx);
 *     {@link #NO_BYTE} if none came
 * @param endNanos the time when the last byte of the response was read, or the failure was known; for a timeout, the
 *     limit itself
 * @param outcome its outcome
 * @param status the status of a complete response, otherwise 0, whatever is given
 * @param bytesReceived bytes of the response, header and body, without TLS
 * @param setUp the times of making the connection for this request, or {@code null} if it was open already
 * @param reconnected true if the request went over a new connection because the server had closed the old one before
 * @param resent the number of times that it was sent again: the server had closed the connection while it was idle, and
 *     it isn't known whether it had read the first one; or the client retried, followed a redirect or answered a
 *     challenge
 * @param instance the state of the instance that answered, by the response, or {@code null}
 * @param leaseNanos the time that it waited for a shared connection before it was sent for the first time, connecting
 *     not included; a duration, or {@link #NO_LEASE}
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

    /** Stands for "no first byte". */
    public static final long NO_BYTE = -1;

    /** In the place of a wait for a connection, of a client that has a connection per user. */
    public static final long NO_LEASE = -1;

    /** Drops the status of an incomplete response. */
    public Exchange {
        status = outcome.responded() ? status : 0;
    }

    /**
     * The result of a request for which no connection could be made.
     *
     * @param startNanos the time when the attempt began
     * @param endNanos the time when the failure was known
     * @param outcome the outcome of the attempt
     * @param reconnected true if the server had closed the previous connection
     * @return the exchange, in which nothing was sent
     */
    public static Exchange notConnected(long startNanos, long endNanos, Outcome outcome, boolean reconnected) {
        return new Exchange(startNanos, NO_BYTE, endNanos, outcome, 0, 0, null, reconnected, 0, null, NO_LEASE);
    }

    /**
     * Whether nothing was sent, since the client's own machine had no file descriptor or port left for a connection.
     * Such a request counts as not sent, with its cause as the reason.
     *
     * @return {@code false} for every other failure to connect, which is the target's or the plan's
     */
    public boolean unsent() {
        return setUp == null
                && resent == 0
                && timeToFirstByteNanos == NO_BYTE
                && outcome.cause().isUnsent();
    }

    /**
     * This exchange, which went on and ended otherwise.
     *
     * @param nanos the time
     * @param other its outcome
     * @return a copy
     */
    public Exchange ended(long nanos, Outcome other) {
        return new Exchange(
                sentNanos,
                timeToFirstByteNanos,
                nanos,
                other,
                status,
                bytesReceived,
                setUp,
                reconnected,
                resent,
                instance,
                leaseNanos);
    }

    /**
     * This exchange and the next one of the same request, which was sent again.
     *
     * @param next the result
     * @return one exchange, from the start of this one to the end of the next
     */
    public Exchange then(Exchange next) {
        return new Exchange(
                sentNanos,
                timeToFirstByteNanos,
                next.endNanos,
                next.outcome,
                next.status,
                bytesReceived + next.bytesReceived,
                setUp,
                reconnected || next.reconnected,
                resent + 1 + next.resent,
                instance,
                leaseNanos);
    }

    /**
     * When the request's own time began: a wait for a shared connection belongs to it, making the connection doesn't.
     *
     * @return the time when it was sent, less that wait
     */
    public long readyNanos() {
        return sentNanos - Math.max(0, leaseNanos);
    }

    /**
     * The result of several requests that are timed as a whole.
     *
     * @param startNanos the time when the first one was due
     * @param endNanos the time when the last one had ended
     * @param outcome a success, or the first failure
     * @return an exchange that counts nothing that its requests count
     */
    public static Exchange ofSteps(long startNanos, long endNanos, Outcome outcome) {
        return new Exchange(startNanos, NO_BYTE, endNanos, outcome, 0, 0, null, false, 0, null, NO_LEASE);
    }

    /**
     * How long it took to make the connection for this request.
     *
     * @return in nanoseconds; 0 if it was open already
     */
    public long setUpNanos() {
        return setUp == null ? 0 : setUp.nanos();
    }

    /**
     * How long the parts of making a connection took, in nanoseconds.
     *
     * @param lookUpNanos resolving the host, or −1 if it can't be told from the rest
     * @param connectNanos the TCP handshake, including attempts at addresses that failed; over HTTP/2 without TLS,
     *     until the server's settings came
     * @param tlsNanos the TLS handshake, over HTTP/2 until the server's settings came; −1 without TLS
     */
    public record SetUp(long lookUpNanos, long connectNanos, long tlsNanos) {

        /**
         * The total.
         *
         * @return the parts' sum, in nanoseconds
         */
        public long nanos() {
            return Math.max(0, lookUpNanos) + connectNanos + Math.max(0, tlsNanos);
        }
    }
}
