package io.phaseload.events.shared;

import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.InFlight;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import io.phaseload.timing.InstanceState;

/** One user of a shared connection, with one request at a time. Owned by one event loop. */
final class SharedUser implements LoopSender {

    private final SharedConnection connection;
    private final LoopContext loop;
    private final Listener listener;
    private final InFlight flight = new InFlight();

    private LoopRequest request;
    // When it is due; 0 for as soon as it is sent.
    private long dueNanos;
    // Whether a server certainly left it unread, and whether one may have read it before.
    private boolean unread;
    private boolean resent;

    // Whether it waits for room because of the server, and since when.
    private boolean awaitsRoom;
    private long waitNanos;
    private long readyNanos;

    SharedUser(SharedConnection connection, LoopContext loop, Listener listener) {
        this.connection = connection;
        this.loop = loop;
        this.listener = listener;
    }

    @Override
    public void due(long nanos) {
        dueNanos = nanos;
    }

    long dueNanos() {
        return dueNanos == 0 ? System.nanoTime() : dueNanos;
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        unread = false;
        resent = false;
        send();
    }

    private void send() {
        readyNanos = 0;
        connection.send(this);
    }

    /** It is sent again over another connection, though the server may have read it. */
    void resend() {
        resent = true;
        send();
    }

    /** Whether its request may be sent again after the connection had been idle. */
    boolean idempotent() {
        return request.prepared().idempotent();
    }

    /**
     * The server certainly didn't read it: it is sent over another connection.
     *
     * @param anyRead true if the server read other requests; after two in a row that read none, the request fails
     * @param givenUp the outcome then
     */
    void sendUnread(boolean anyRead, Outcome givenUp) {
        if (unread && !anyRead) {
            fail(givenUp, null);
        } else {
            unread = true;
            send();
        }
    }

    void awaitConnection() {
        awaitsRoom = false;
        waitNanos = System.nanoTime();
    }

    /** The connection is open, but the server accepts no more requests now. */
    void awaitRoom() {
        awaitsRoom = true;
        waitNanos = System.nanoTime();
        readyNanos = waitNanos;
    }

    /**
     * Its request is sent now.
     *
     * @param setUp the times of making the connection for it, or {@code null} if it was open already
     * @param reopened true if the server had closed the last connection
     */
    void begin(SetUp setUp, boolean reopened) {
        long now = System.nanoTime();
        if (readyNanos == 0) {
            readyNanos = now;
        }
        flight.begin(request, setUp, reopened, resent, now, loop.responseLimitNanos());
    }

    LoopRequest request() {
        return request;
    }

    InFlight flight() {
        return flight;
    }

    /** The response is complete. */
    void complete(long now, Outcome outcome, int status, InstanceState instance) {
        if (flight.leftNanos(now) <= 0) {
            fail(outcome, instance);
        } else {
            listener.completed(readyNanos, flight.ended(now, outcome, status, instance));
        }
    }

    /**
     * The request fails after it was sent.
     *
     * @param instance the state of the instance, by the response, or {@code null}
     */
    void fail(Outcome outcome, InstanceState instance) {
        long now = System.nanoTime();
        boolean late = flight.leftNanos(now) <= 0;
        completeLater(flight.ended(now, late ? Outcome.NoResponse.READ_TIMEOUT : outcome, 0, instance));
    }

    /** The server only answers one request at a time. */
    void failUnpipelined() {
        long now = System.nanoTime();
        boolean late = flight.leftNanos(now) <= 0;
        completeLater(flight.ended(now, SharedFailure.noPipelining(late), 0, null));
    }

    /**
     * No connection could be made for it.
     *
     * @param reopened true if the server had closed the last connection
     */
    void notConnected(long endNanos, Outcome outcome, boolean reopened) {
        completeLater(Exchange.notConnected(waitNanos, endNanos, outcome, reopened));
    }

    /** No more connections are to be made. */
    void notSent() {
        listener.completed(0, SendResult.NOT_SENT);
    }

    /** Later, since a failure may come before the call that sent the request returns. */
    private void completeLater(Exchange exchange) {
        long ready = readyNanos == 0 ? exchange.sentNanos() : readyNanos;
        loop.execute(() -> listener.completed(ready, exchange));
    }

    /**
     * Ends its wait if its time is up, where waiting counts.
     *
     * @return see {@link Expirable#expire}
     */
    long expireWaiting(long now, boolean abandon) {
        long left = awaitsRoom ? waitNanos + loop.responseLimitNanos() - now : Long.MAX_VALUE;
        if (left > 0 && !abandon) {
            return left;
        }
        connection.withdraw(this);
        if (awaitsRoom) {
            flight.begin(request, null, false, resent, waitNanos, loop.responseLimitNanos());
            fail(Outcome.ClientFault.stopped(), null);
        } else {
            notSent();
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        connection.leave();
    }
}
