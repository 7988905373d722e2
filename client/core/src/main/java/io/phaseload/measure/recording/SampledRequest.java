package io.phaseload.measure.recording;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import java.util.Optional;

/**
 * A request of a phase's {@link RequestSample}. Points in time are nanoseconds since the phase's start; a duration that
 * isn't known is −1.
 *
 * @param dueNanos the time at which it was due; in a closed model, at which its user was free
 * @param sentNanos the time at which sending began on a ready connection
 * @param serviceNanos from sending to the end of the response, or until the failure was known
 * @param firstByteNanos from sending to the first byte of a response
 * @param operation the index of its operation
 * @param user the index of its user
 * @param connection the number of its user's connection, from 0; −1 if it isn't known, and less if users share it: see
 *     {@link #sharedConnection()}
 * @param place the number of requests that were sent over that connection before, 0 for a request over a new one; −1 if
 *     it isn't known
 * @param ageNanos the time since that connection was ready
 * @param idleNanos the time since the last request over that connection had ended; −1 for the first one
 * @param lookUpNanos the time to resolve the host, for this request's connection
 * @param connectNanos the time of the TCP handshake, for this request's connection
 * @param tlsNanos the time of the TLS handshake, for this request's connection
 * @param bytes bytes received
 * @param status the status of a complete response, otherwise 0
 * @param resent {@code true} if it was sent more than once
 * @param stalled {@code true} if the client was stalled for a significant part of the response time
 * @param outcome its outcome
 */
public record SampledRequest(
        long dueNanos,
        long sentNanos,
        long serviceNanos,
        long firstByteNanos,
        int operation,
        int user,
        int connection,
        int place,
        long ageNanos,
        long idleNanos,
        long lookUpNanos,
        long connectNanos,
        long tlsNanos,
        long bytes,
        int status,
        boolean resent,
        boolean stalled,
        Outcome outcome) {

    static SampledRequest of(
            long startNanos, int user, int connection, int place, long madeNanos, long idleNanos, Sample sample) {
        Exchange exchange = sample.exchange();
        Exchange.SetUp setUp = exchange.setUp();
        boolean connected = !exchange.outcome().unreachable();
        int known = connected ? place : 0;
        return new SampledRequest(
                sample.intendedNanos() - startNanos,
                exchange.sentNanos() - startNanos,
                sample.serviceNanos(),
                exchange.timeToFirstByteNanos(),
                sample.operation(),
                user,
                connection,
                known,
                known < 0 || !connected ? -1 : exchange.sentNanos() - madeNanos,
                connected ? idleNanos : -1,
                setUp == null ? -1 : setUp.lookUpNanos(),
                setUp == null ? -1 : setUp.connectNanos(),
                setUp == null ? -1 : setUp.tlsNanos(),
                exchange.bytesReceived(),
                exchange.status(),
                exchange.resent() > 0,
                sample.stalled(),
                exchange.outcome());
    }

    /** {@return true if it failed} */
    public boolean failed() {
        return !(outcome instanceof Outcome.Success);
    }

    /** {@return why it failed; empty for a success} */
    public Optional<Cause> cause() {
        return failed() ? Optional.of(outcome.cause()) : Optional.empty();
    }

    /** {@return the time when it ended, in nanoseconds since the phase's start} */
    public long endNanos() {
        return sentNanos + serviceNanos;
    }

    /** {@return true if its connection was made for it} */
    public boolean isNew() {
        return place == 0;
    }

    /** {@return the time to make its connection, in nanoseconds; 0 if it was open} */
    public long setUpNanos() {
        return Math.max(0, lookUpNanos) + Math.max(0, connectNanos) + Math.max(0, tlsNanos);
    }

    /**
     * How late the client sent it, without the time to make its connection.
     *
     * @return in nanoseconds, 0 or more
     */
    public long lateNanos() {
        return Math.max(0, sentNanos - dueNanos - setUpNanos());
    }

    /** The {@link #connection} of users who share one with a number. */
    static int shared(int number) {
        return -2 - number;
    }

    /** {@return the number of the connection that its user shares with others; −1 if it shares none that is known} */
    public int sharedConnection() {
        return connection <= -2 ? -2 - connection : -1;
    }
}
