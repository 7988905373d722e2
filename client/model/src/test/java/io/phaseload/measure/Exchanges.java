package io.phaseload.measure;

import io.phaseload.measure.Exchange.SetUp;

/** Synthetic exchanges: their first byte came after half of their time. */
public final class Exchanges {

    private Exchanges() {}

    /** An exchange; a set-up of 0 means that the connection was there. */
    public static Exchange of(long sent, long end, Outcome outcome, long bytes, long setUpNanos, boolean reconnected) {
        long firstByte = outcome.responded() ? (end - sent) / 2 : -1;
        SetUp setUp = setUpNanos == 0 ? null : setUp(setUpNanos);
        return new Exchange(
                sent, firstByte, end, outcome, status(outcome), bytes, setUp, reconnected, 0, null, Exchange.NO_LEASE);
    }

    private static int status(Outcome outcome) {
        return outcome instanceof Outcome.HttpFailure failure ? failure.status() : 200;
    }

    /** A tenth of it for DNS, three for TCP, the rest for TLS. */
    private static SetUp setUp(long nanos) {
        return new SetUp(nanos / 10, 3 * nanos / 10, nanos - nanos / 10 - 3 * nanos / 10);
    }
}
