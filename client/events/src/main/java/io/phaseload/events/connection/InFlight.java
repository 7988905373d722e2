package io.phaseload.events.connection;

import io.phaseload.http.IdleConnection;
import io.phaseload.http.response.Received;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.timing.InstanceState;

/** A request in flight and the state of its response; reused for the next one. Owned by one event loop. */
public final class InFlight {

    private LoopRequest request;
    // Null unless its response is a stream of events.
    private EventReader events;
    private SetUp setUp;
    private boolean reconnected;
    private boolean resent;
    private long startNanos;
    private long limitNanos;
    private long firstByteNanos;
    private long bytes;

    /**
     * Starts a request; may be called again.
     *
     * @param made the times of making the connection for it, or {@code null} if it was open already
     * @param reopened true if the server had closed the last connection
     * @param again true if it was sent before, and the server may have read it
     * @param now the time when it is sent, as {@link System#nanoTime()}
     * @param limit the time that it may take, in nanoseconds
     */
    public void begin(LoopRequest next, SetUp made, boolean reopened, boolean again, long now, long limit) {
        request = next;
        events = next.prepared().events();
        if (events != null) {
            events.begin(now, made != null, moved -> {});
        }
        setUp = made;
        reconnected = reopened;
        resent = again;
        startNanos = now;
        limitNanos = limit;
        firstByteNanos = 0;
        bytes = 0;
    }

    /** When it was sent, as {@link System#nanoTime()}. */
    public long startNanos() {
        return startNanos;
    }

    /** A part of its response has arrived. */
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

    /** How much of its response has arrived, if that breaks off. */
    public Outcome.Reset.Stage stage(boolean headRead) {
        return Outcome.Reset.Stage.of(!unanswered(), headRead);
    }

    /**
     * Its failure if its connection ended before any byte of its response. Where it can't be known whether the server
     * got it, {@link Outcome.NoResponse#UNKNOWN_IF_READ}; see {@link IdleConnection#unanswered}.
     *
     * @param reset the failure otherwise
     * @param setUpNanos the time that making the connection took
     * @param now the time when the end was seen
     */
    public Outcome unanswered(Outcome reset, long setUpNanos, long now) {
        return unanswered() && reset instanceof Outcome.Reset
                ? IdleConnection.unanswered(setUpNanos, startNanos, now)
                : reset;
    }

    /** Nanoseconds until its time is up; 0 or less if it is up. */
    public long leftNanos(long now) {
        return upNanos() - now;
    }

    private long upNanos() {
        return events == null ? startNanos + limitNanos : events.limitNanos();
    }

    /** Whether its stream of events is over by a rule of its own, such as that its time is up. */
    public boolean streamOver(long now, boolean headRead) {
        if (events == null) {
            return false;
        }
        if (headRead && leftNanos(now) <= 0) {
            events.expire();
        }
        return events.over();
    }

    /** The outcome of its complete response, which ended now. */
    public Outcome judged(long now, Received response) {
        long end = events != null && events.over() ? events.overNanos() : now;
        return request.prepared().judge(response, end - startNanos);
    }

    /** Its result. */
    public Exchange ended(long now, Outcome outcome, int status, InstanceState instance) {
        return new Exchange(
                startNanos,
                firstByteNanos == 0 ? Exchange.NO_BYTE : firstByteNanos - startNanos,
                ended(now, outcome),
                outcome,
                status,
                bytes,
                setUp,
                reconnected,
                resent ? 1 : 0,
                instance,
                Exchange.NO_LEASE);
    }

    private long ended(long now, Outcome outcome) {
        if (events != null && events.over()) {
            return events.overNanos();
        }
        return outcome.censored() ? upNanos() : now;
    }
}
