package io.phaseload.events.connection;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.InstanceState;
import io.phaseload.measure.Outcome;

/**
 * A request that is sent, with what has come of its response; the next one uses it again. Owned by
 * one event loop.
 */
public final class InFlight {

    private LoopRequest request;
    private SetUp setUp;
    private boolean reconnected;
    private boolean resent;
    private long startNanos;
    private long limitNanos;
    private long firstByteNanos;
    private long bytes;

    /**
     * Begins, perhaps again.
     *
     * @param made how the connection was made for it, or {@code null} if it was there
     * @param reopened whether that is because the server had closed the one before
     * @param again whether it was sent before, and the server may have read it
     * @param now when it is sent, as {@link System#nanoTime()}
     * @param limit how long it may take, in nanoseconds
     */
    public void begin(
            LoopRequest next, SetUp made, boolean reopened, boolean again, long now, long limit) {
        request = next;
        setUp = made;
        reconnected = reopened;
        resent = again;
        startNanos = now;
        limitNanos = limit;
        firstByteNanos = 0;
        bytes = 0;
    }

    public LoopRequest request() {
        return request;
    }

    /** Some of its response has arrived. */
    public void received(int count, long now) {
        bytes += count;
        if (firstByteNanos == 0) {
            firstByteNanos = now;
        }
    }

    /** Whether nothing of its response has arrived. */
    public boolean unanswered() {
        return bytes == 0;
    }

    /** How much of its response has arrived, for one that breaks off. */
    public Outcome.Reset.Stage stage(boolean headRead) {
        if (bytes == 0) {
            return Outcome.Reset.Stage.BEFORE_RESPONSE;
        }
        return headRead ? Outcome.Reset.Stage.IN_BODY : Outcome.Reset.Stage.IN_HEADER;
    }

    /** Nanoseconds until its time is up; 0 or less if it is. */
    public long leftNanos(long now) {
        return startNanos + limitNanos - now;
    }

    /** Its result. */
    public Exchange ended(long now, Outcome outcome, int status, InstanceState instance) {
        return new Exchange(
                startNanos,
                firstByteNanos == 0 ? Exchange.NO_BYTE : firstByteNanos - startNanos,
                outcome.censored() ? startNanos + limitNanos : now,
                outcome,
                status,
                bytes,
                setUp,
                reconnected,
                resent,
                instance);
    }
}
