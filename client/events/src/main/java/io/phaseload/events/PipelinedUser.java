package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.phaseload.http.Exchange;
import io.phaseload.http.Exchange.SetUp;
import io.phaseload.http.InstanceState;
import io.phaseload.http.Outcome;

/** One user of a connection that others use, too; it has a request in it at a time. */
final class PipelinedUser implements Sender {

    private final PipelinedConnection connection;
    private final LoopContext loop;
    private final Answered listener;
    private final InFlight flight = new InFlight();
    private LoopRequest request;
    private boolean reconnected;
    private long waitNanos;
    private LoopRequest wireOf;
    private ByteBuf wire;
    private ChannelFuture written;

    PipelinedUser(PipelinedConnection connection, LoopContext loop, Answered listener) {
        this.connection = connection;
        this.loop = loop;
        this.listener = listener;
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        reconnected = false;
        connection.send(this);
    }

    /** What was sent went unread, which is certain: it goes over another connection. */
    void again() {
        reconnected = true;
        connection.send(this);
    }

    /** The connection isn't there yet. */
    void await() {
        waitNanos = System.nanoTime();
    }

    /**
     * It is sent now.
     *
     * @param setUp how the connection was made for it, or {@code null} if it was there
     */
    void begin(SetUp setUp) {
        flight.begin(request, setUp, reconnected, System.nanoTime(), loop.responseLimitNanos());
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
            listener.answered(exchange.sentNanos(), exchange);
        }
    }

    /** What was sent comes to nothing. */
    void fail(Outcome outcome) {
        long now = System.nanoTime();
        boolean late = flight.leftNanos(now) <= 0;
        answerLater(flight.ended(now, late ? new Outcome.ReadTimeout() : outcome, 0, null));
    }

    /** No connection could be made for it. */
    void notSent(long endNanos, Outcome outcome) {
        answerLater(InFlight.unsent(waitNanos, endNanos, outcome, reconnected));
    }

    /** None is to be made any more. */
    void noTurn() {
        listener.answered(0, null);
    }

    /** Not from within: a failure may come before the call that sent the request returns. */
    private void answerLater(Exchange exchange) {
        loop.execute(() -> listener.answered(exchange.sentNanos(), exchange));
    }

    @Override
    public void close() {
        connection.leave();
    }
}
