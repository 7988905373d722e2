package io.phaseload.measure.recording;

import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link SampledRequest}. A duration that isn't known is −1.
 *
 * @param number its number among its user's, from 0; −1 if it isn't known, and less if users share it: see
 *     {@link #sharedNumber()}
 * @param place the number of requests that were sent over it before, 0 for a request over a new one; −1 if it isn't
 *     known
 * @param ageNanos the time since it was ready
 * @param idleNanos the time since the last request over it had ended; −1 for the first one
 * @param setUp the times of making it for the request; {@code null} if it was open
 */
public record SampledConnection(int number, int place, long ageNanos, long idleNanos, @Nullable SetUp setUp) {

    /** The connection of a request with an outcome; without a connection, it is the first request over a new one. */
    static SampledConnection of(
            Outcome outcome, int number, int place, long ageNanos, long idleNanos, @Nullable SetUp setUp) {
        return outcome.unreachable()
                ? new SampledConnection(number, 0, -1, -1, setUp)
                : new SampledConnection(number, place, place < 0 ? -1 : ageNanos, idleNanos, setUp);
    }

    /** {@return the time of the TCP handshake, for this request} */
    public long connectNanos() {
        return setUp == null ? -1 : setUp.connectNanos();
    }

    /** {@return the time to make it, in nanoseconds; 0 if it was open} */
    public long setUpNanos() {
        return setUp == null ? 0 : setUp.nanos();
    }

    /** The {@link #number} of a connection that users share, with a number of its own. */
    static int shared(int number) {
        return -2 - number;
    }

    /** {@return its number among those that users share; −1 if it is of one user, or not known} */
    public int sharedNumber() {
        return number <= -2 ? -2 - number : -1;
    }
}
