package io.phaseload.measure;

/**
 * A request as it is recorded.
 *
 * @param operation the operation's index in its scenario
 * @param intendedNanos the time when the request was due, as {@link System#nanoTime()}; in a closed model, when its
 *     user was free and its connection ready
 * @param exchange its result
 * @param stalled true if the client was stalled for a significant part of the response time
 * @param ownNanos the part of the response time that the client itself may have caused, in nanoseconds;
 *     {@link #OWN_UNKNOWN} if it wasn't measured
 */
public record Sample(int operation, long intendedNanos, Exchange exchange, boolean stalled, long ownNanos) {

    /** The client's own part wasn't measured for this request. */
    public static final long OWN_UNKNOWN = -1;

    /**
     * A request of which the client's own part wasn't measured.
     *
     * @param operation the operation's index in its scenario
     * @param intendedNanos the time when the request was due, as {@link System#nanoTime()}
     * @param exchange its result
     * @param stalled true if the client was stalled for a significant part of the response time
     */
    public Sample(int operation, long intendedNanos, Exchange exchange, boolean stalled) {
        this(operation, intendedNanos, exchange, stalled, OWN_UNKNOWN);
    }

    /**
     * A request that no client stall affected.
     *
     * @param operation the operation's index in its scenario
     * @param intendedNanos the time when the request was due, as {@link System#nanoTime()}
     * @param exchange its result
     */
    public Sample(int operation, long intendedNanos, Exchange exchange) {
        this(operation, intendedNanos, exchange, false);
    }

    /**
     * The response time, which a user of the server would have waited.
     *
     * @return end − intended, in nanoseconds
     */
    long responseNanos() {
        return exchange.endNanos() - intendedNanos;
    }

    /**
     * The service time, which the server and the network took.
     *
     * @return end − sent, in nanoseconds
     */
    public long serviceNanos() {
        return exchange.endNanos() - exchange.sentNanos();
    }

    /**
     * How late the client was: not by waiting for a shared connection.
     *
     * @return response − service − that wait, in nanoseconds
     */
    long slipNanos() {
        return exchange.readyNanos() - intendedNanos;
    }
}
