package io.phaseload.events.shared;

import io.phaseload.events.connection.InFlight;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.Sender;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;

/**
 * One user of a shared connection: it has a stream at a time, for one request and its response.
 * Owned by one event loop.
 */
final class Http2User implements Sender {

    private enum State {
        FREE,
        WAITING_FOR_CONNECTION,
        WAITING_FOR_STREAM,
        SENT
    }

    private final Http2Connection connection;
    private final LoopContext loop;
    private final Listener listener;
    private final InFlight flight = new InFlight();
    private final Http2Response response = new Http2Response();

    private State state = State.FREE;
    private LoopRequest request;
    private boolean again;
    private boolean resent;
    private long waitNanos;
    private long readyNanos;

    // Of the request that is sent.
    private Http2Session session;
    private int id;
    private int bodySent;
    private long window;
    private int consumed;

    Http2User(Http2Connection connection, LoopContext loop, Listener listener) {
        this.connection = connection;
        this.loop = loop;
        this.listener = listener;
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        again = false;
        resent = false;
        readyNanos = 0;
        connection.send(this);
    }

    /**
     * What was sent went unread, which is certain; it goes over another connection.
     *
     * @param anyRead whether the server read others; if two in a row read none, it is given up
     */
    void again(long code, boolean anyRead) {
        if (again && !anyRead) {
            fail(new Outcome.Http2Failure("goaway", Http2Error.name(code)));
        } else {
            again = true;
            readyNanos = 0;
            connection.send(this);
        }
    }

    /** The connection had been idle, and is over without a word to this request. */
    void perhapsUnread() {
        if (request.prepared().idempotent()) {
            resent = true;
            readyNanos = 0;
            connection.send(this);
        } else {
            fail(new Outcome.ClosedWhileIdle());
        }
    }

    void awaitConnection() {
        state = State.WAITING_FOR_CONNECTION;
        waitNanos = System.nanoTime();
    }

    /** The connection is there, but the server allows no more streams now. */
    void awaitStream() {
        state = State.WAITING_FOR_STREAM;
        waitNanos = System.nanoTime();
        readyNanos = waitNanos;
    }

    /**
     * It is sent now.
     *
     * @param over where
     * @param stream its number there
     * @param setUp how the connection was made for it, or {@code null} if it was there
     * @param anew whether that is in the place of one that the server had closed
     * @param serverWindow how much of its body the server takes at first
     */
    void begin(Http2Session over, int stream, SetUp setUp, boolean anew, int serverWindow) {
        long now = System.nanoTime();
        if (readyNanos == 0) {
            readyNanos = now;
        }
        state = State.SENT;
        flight.begin(request, setUp, anew, resent, now, loop.responseLimitNanos());
        response.begin(request);
        session = over;
        id = stream;
        bodySent = 0;
        window = serverWindow;
        consumed = 0;
    }

    LoopRequest request() {
        return request;
    }

    int id() {
        return id;
    }

    InFlight flight() {
        return flight;
    }

    Http2Response response() {
        return response;
    }

    int bodySent() {
        return bodySent;
    }

    int bodyLeft() {
        return request.bodyLength() - bodySent;
    }

    void sent(int length) {
        bodySent += length;
        window -= length;
    }

    /** How much of its body the server takes now; may be below 0. */
    long window() {
        return window;
    }

    void widen(long more) {
        window += more;
    }

    /**
     * Some of what the server may send was sent.
     *
     * @return how much since it was allowed more
     */
    int consume(int bytes) {
        consumed += bytes;
        return consumed;
    }

    void replenish() {
        consumed = 0;
    }

    /** The response is whole. */
    void whole(long now) {
        if (flight.leftNanos(now) <= 0) {
            fail(new Outcome.ReadTimeout());
        } else {
            Outcome outcome = request.judge(response.status(), response.body());
            state = State.FREE;
            listener.completed(
                    readyNanos, flight.ended(now, outcome, response.status(), response.instance()));
        }
    }

    /** How far its response has come, for one that breaks off. */
    Outcome.Reset.Stage stage() {
        return flight.stage(response.headRead());
    }

    /** No connection was there, and none is to be opened any more. */
    void notSent() {
        state = State.FREE;
        listener.completed(0, null);
    }

    /** It comes to nothing. */
    void fail(Outcome outcome) {
        long now = System.nanoTime();
        Exchange exchange;
        if (state == State.WAITING_FOR_CONNECTION) {
            exchange = InFlight.unsent(waitNanos, now, outcome, false, resent);
        } else {
            if (state == State.WAITING_FOR_STREAM) {
                flight.begin(request, null, false, resent, waitNanos, loop.responseLimitNanos());
                response.begin(request);
            }
            boolean late = flight.leftNanos(now) <= 0;
            exchange =
                    flight.ended(
                            now,
                            late ? new Outcome.ReadTimeout() : outcome,
                            response.status(),
                            response.instance());
        }
        state = State.FREE;
        long ready = readyNanos == 0 ? exchange.sentNanos() : readyNanos;
        // Not from within: a failure may come before the call that sent the request returns.
        loop.execute(() -> listener.completed(ready, exchange));
    }

    /**
     * Ends what is in progress if its time is up. Waiting for the connection is limited there.
     *
     * @return as {@link Expirable#expire}
     */
    long expire(long now, boolean abandon) {
        if (state != State.SENT && state != State.WAITING_FOR_STREAM) {
            return Long.MAX_VALUE;
        }
        long left =
                state == State.SENT
                        ? flight.leftNanos(now)
                        : waitNanos + loop.responseLimitNanos() - now;
        if (left > 0 && !abandon) {
            return left;
        }
        if (state == State.SENT) {
            session.cancel(this);
        } else {
            connection.withdraw(this);
        }
        fail(Outcome.ClientFault.stopped());
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        connection.leave();
    }
}
