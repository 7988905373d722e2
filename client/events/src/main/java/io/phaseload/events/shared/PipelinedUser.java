package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.phaseload.events.connection.InFlight;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.InstanceState;
import io.phaseload.measure.Outcome;

/** One user of a connection that others use, too; it has a request in it at a time. */
final class PipelinedUser implements Sender {

    private final PipelinedConnection connection;
    private final LoopContext loop;
    private final Listener listener;
    private final InFlight flight = new InFlight();
    private LoopRequest request;
    private boolean resent;
    private long waitNanos;
    private LoopRequest wireOf;
    private ByteBuf wire;
    private ChannelFuture written;

    PipelinedUser(PipelinedConnection connection, LoopContext loop, Listener listener) {
        this.connection = connection;
        this.loop = loop;
        this.listener = listener;
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        resent = false;
        connection.send(this);
    }

    /** It goes over another connection, though the server may have got it before. */
    void again() {
        resent = true;
        connection.send(this);
    }

    /** The connection had been idle, and is over without an answer. */
    void perhapsUnread() {
        if (request.prepared().idempotent()) {
            again();
        } else {
            fail(new Outcome.ClosedWhileIdle());
        }
    }

    /** The connection isn't there yet. */
    void await() {
        waitNanos = System.nanoTime();
    }

    /**
     * It is sent now.
     *
     * @param setUp how the connection was made for it, or {@code null} if it was there
     * @param anew whether that is in the place of one that the server had closed
     */
    void begin(SetUp setUp, boolean anew) {
        flight.begin(request, setUp, anew, resent, System.nanoTime(), loop.responseLimitNanos());
    }

    void write(SocketChannel channel) {
        // One whose answer came too early may still be on its way out.
        if (wireOf != request || !written.isDone()) {
            wireOf = request;
            wire = request.wire().duplicate();
        }
        written = channel.write(wire.setIndex(0, wire.capacity()));
    }

    LoopRequest request() {
        return request;
    }

    InFlight flight() {
        return flight;
    }

    /** The response is whole. */
    void whole(long now, Outcome outcome, int status, InstanceState instance) {
        if (flight.leftNanos(now) <= 0) {
            fail(outcome);
        } else {
            Exchange exchange = flight.ended(now, outcome, status, instance);
            listener.completed(exchange.sentNanos(), exchange);
        }
    }

    /** What was sent comes to nothing. */
    void fail(Outcome outcome) {
        long now = System.nanoTime();
        boolean late = flight.leftNanos(now) <= 0;
        answerLater(flight.ended(now, late ? new Outcome.ReadTimeout() : outcome, 0, null));
    }

    /** The server answers no more than one request at a time. */
    void failUnpipelined() {
        long now = System.nanoTime();
        boolean late = flight.leftNanos(now) <= 0;
        answerLater(flight.ended(now, new Outcome.NoPipelining(late), 0, null));
    }

    /**
     * No connection could be made for it.
     *
     * @param anew whether it was to be in the place of one that the server had closed
     */
    void notSent(long endNanos, Outcome outcome, boolean anew) {
        answerLater(InFlight.unsent(waitNanos, endNanos, outcome, anew, resent));
    }

    /** None is to be made any more. */
    void noTurn() {
        listener.completed(0, null);
    }

    /** Not from within: a failure may come before the call that sent the request returns. */
    private void answerLater(Exchange exchange) {
        loop.execute(() -> listener.completed(exchange.sentNanos(), exchange));
    }

    @Override
    public void close() {
        connection.leave();
    }
}
