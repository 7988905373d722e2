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
 * @param connection the connection over which it was sent
 * @param path its path and query, without secrets; empty if it is the same each time, or not to be written
 * @param bytes bytes received
 * @param status the status of a complete response, otherwise 0
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
        SampledConnection connection,
        String path,
        long bytes,
        int status,
        boolean stalled,
        Outcome outcome) {

    static SampledRequest of(long startNanos, int user, SampledConnection connection, String path, Sample sample) {
        Exchange exchange = sample.exchange();
        return new SampledRequest(
                sample.intendedNanos() - startNanos,
                exchange.sentNanos() - startNanos,
                sample.serviceNanos(),
                exchange.timeToFirstByteNanos(),
                sample.operation(),
                user,
                connection,
                path,
                exchange.bytesReceived(),
                exchange.status(),
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
        return connection.place() == 0;
    }

    /**
     * How late the client sent it, without the time to make its connection.
     *
     * @return in nanoseconds, 0 or more
     */
    public long lateNanos() {
        return Math.max(0, sentNanos - dueNanos - connection.setUpNanos());
    }
}
