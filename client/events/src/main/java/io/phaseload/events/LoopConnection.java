package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.phaseload.http.Exchange;
import io.phaseload.http.Exchange.SetUp;
import io.phaseload.http.Failures;
import io.phaseload.http.MalformedException;
import io.phaseload.http.Outcome;
import io.phaseload.http.ResponseParser;
import java.io.IOException;

/**
 * One user's connection. It is opened by the first request and kept as long as the server keeps it.
 * Owned by one event loop.
 *
 * <p>What was decided of a channel is decided: events of one that was dropped are ignored.
 */
@ChannelHandler.Sharable
final class LoopConnection extends ChannelInboundHandlerAdapter
        implements Sender, Watched, Opening.Listener {

    /** A request up to this size is handed to the system whole or not at all. */
    private static final int ATOMIC_WRITE = 16 << 10;

    private final LoopContext loop;
    private final Answered listener;
    private final ResponseParser parser;
    private final InFlight flight = new InFlight();
    private final Unasked unasked = new Unasked();

    // Of these at most one is there: the connection, or the attempt at it.
    private SocketChannel channel;
    private Opening opening;

    private LoopRequest request;
    private LoopRequest wireOf;
    private ByteBuf wire;
    private long lastSetUpNanos;
    private boolean reconnected;

    // Of the request in flight.
    private boolean sent;
    private boolean kept;
    private boolean probing;
    private ChannelFuture written;
    // How many were sent before: what comes too late for one must not meet the next.
    private long turn;

    /**
     * Makes a connection that isn't opened yet.
     *
     * @param loop the loop that owns it
     * @param listener hears of each exchange
     */
    LoopConnection(LoopContext loop, Answered listener) {
        this.loop = loop;
        this.listener = listener;
        this.parser = new ResponseParser();
        loop.add(this);
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        reconnected = false;
        if (channel == null) {
            opening = Opening.begin(loop, this);
        } else if (unasked.hasRest()) {
            begin(null);
            long of = turn;
            loop.execute(() -> refuseRest(of));
        } else if (unasked.endedSilently()) {
            reconnect();
        } else {
            send(null, true);
        }
    }

    private void refuseRest(long of) {
        if (inFlight(of)) {
            failed(new Outcome.MalformedResponse("bytes before the request was sent"));
        }
    }

    private void reconnect() {
        reconnected = true;
        drop(true);
        sent = false;
        opening = Opening.begin(loop, this);
    }

    @Override
    public void opened(SocketChannel fresh, SetUp setUp) {
        opening = null;
        channel = fresh;
        lastSetUpNanos = setUp.nanos();
        fresh.pipeline().addLast(this);
        send(setUp, false);
    }

    @Override
    public void notOpened(long startNanos, long endNanos, Outcome outcome) {
        opening = null;
        finish(InFlight.unsent(startNanos, endNanos, outcome, reconnected));
    }

    @Override
    public void noTurn() {
        opening = null;
        listener.answered(0, null);
    }

    private void begin(SetUp setUp) {
        flight.begin(request, setUp, reconnected, System.nanoTime(), loop.responseLimitNanos());
        parser.begin(request.head(), request.bodyKept());
        sent = true;
        probing = false;
        written = null;
        turn++;
    }

    private void send(SetUp setUp, boolean onKept) {
        kept = onKept;
        begin(setUp);
        written = channel.writeAndFlush(wire());
        ByteBuf said = unasked.takeSaid();
        if (said != null) {
            long of = turn;
            loop.execute(() -> readEarly(of, said));
        }
    }

    private boolean inFlight(long of) {
        return sent && turn == of;
    }

    /** What the server said before is taken for its answer, as a blocking client would take it. */
    private void readEarly(long of, ByteBuf said) {
        try {
            if (inFlight(of)) {
                read(said);
                if (unasked.ended() && inFlight(of)) {
                    ended();
                }
            }
        } finally {
            said.release();
        }
    }

    /** The request's bytes, with positions of this connection's own. */
    private ByteBuf wire() {
        if (wireOf != request) {
            wireOf = request;
            wire = request.wire().duplicate();
        }
        return wire.setIndex(0, wire.capacity());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        try {
            if (context.channel() != channel) {
                return;
            }
            if (sent) {
                read(buffer);
            } else {
                unasked.say(buffer);
            }
        } finally {
            buffer.release();
        }
    }

    private void read(ByteBuf buffer) {
        long now = System.nanoTime();
        flight.received(buffer.readableBytes(), now);
        try {
            if (loop.parse(buffer, parser)) {
                if (buffer.isReadable()) {
                    unasked.rest();
                }
                whole(now);
            }
        } catch (MalformedException e) {
            failed(new Outcome.MalformedResponse(e.getMessage()));
        }
    }

    private void whole(long now) {
        if (flight.leftNanos(now) <= 0) {
            expire(now, false);
            return;
        }
        Outcome outcome = request.judge(parser.status(), parser.body());
        if (!written.isSuccess()) {
            // The answer came before the whole request was taken; what follows would be its rest.
            drop(true);
        } else if (!request.keepsConnection() || !parser.keepsConnection()) {
            drop(false);
        }
        finish(flight.ended(now, outcome, parser.status(), parser.instance()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        boolean end =
                event == ChannelInputShutdownEvent.INSTANCE
                        || event == SslCloseCompletionEvent.SUCCESS;
        if (end && context.channel() == channel) {
            unasked.end();
            if (sent) {
                ended();
            }
        }
    }

    /** The server has ended the stream while a request was in flight. */
    private void ended() {
        if (parser.endOfStream()) {
            whole(System.nanoTime());
        } else if (kept && flight.unanswered() && !probing) {
            probe();
        } else {
            failed(new Outcome.Reset(stage()));
        }
    }

    /**
     * Finds out whether the server had closed the connection before it got the request. Then its
     * system answers the request with a reset, which the next write meets.
     */
    private void probe() {
        probing = true;
        long of = turn;
        // The reset needs a round trip; making the connection took at least one.
        long wait = Math.max(1_000_000L, Math.min(2 * lastSetUpNanos, 1_000_000_000L));
        Runnable again =
                () -> {
                    if (inFlight(of)) {
                        LoopContext.beneathTls(channel)
                                .writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                                .addListener(taken -> probed(of, taken.isSuccess()));
                    }
                };
        loop.schedule(again, wait);
    }

    private void probed(long of, boolean taken) {
        if (!inFlight(of)) {
            return;
        }
        if (taken) {
            failed(new Outcome.Reset(stage()));
        } else {
            reconnectLater();
        }
    }

    /** Not from within: a write may fail before the call that sent the request returns. */
    private void reconnectLater() {
        long of = turn;
        loop.execute(
                () -> {
                    if (inFlight(of)) {
                        reconnect();
                    }
                });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (context.channel() != channel) {
            return;
        }
        if (sent) {
            broken(cause);
        } else {
            unasked.end();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (context.channel() != channel) {
            return;
        }
        if (!sent) {
            unasked.end();
        } else if (written != null && written.isSuccess()) {
            // The channel is gone without a word of why: that is the end of the stream.
            probing = true;
            ended();
        } else {
            broken(new IOException("Connection reset"));
        }
    }

    private void broken(Throwable thrown) {
        Throwable cause = TlsFailures.jdks(thrown);
        boolean refused =
                written != null
                        && written.isDone()
                        && !written.isSuccess()
                        && request.wire().capacity() <= ATOMIC_WRITE;
        if (kept && flight.unanswered() && (refused || probing)) {
            reconnectLater();
            return;
        }
        failed(
                cause instanceof Exception exception
                        ? Failures.ofExchange(exception, stage())
                        : new Outcome.ClientFault("internal", cause.toString()));
    }

    private Outcome.Reset.Stage stage() {
        return flight.stage(parser.headRead());
    }

    private void failed(Outcome outcome) {
        long now = System.nanoTime();
        drop(true);
        finish(
                flight.ended(
                        now,
                        flight.leftNanos(now) <= 0 ? new Outcome.ReadTimeout() : outcome,
                        parser.status(),
                        parser.instance()));
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (opening != null) {
            return opening.expire(now, abandon);
        }
        if (!sent) {
            return Long.MAX_VALUE;
        }
        long left = flight.leftNanos(now);
        if (left > 0 && !abandon) {
            return left;
        }
        failed(Outcome.ClientFault.stopped());
        return Long.MAX_VALUE;
    }

    private void finish(Exchange exchange) {
        sent = false;
        if (exchange.outcome().responded()) {
            listener.answered(exchange.sentNanos(), exchange);
        } else {
            // Not from within: a failure may come before the call that sent the request returns.
            loop.execute(() -> listener.answered(exchange.sentNanos(), exchange));
        }
    }

    private void drop(boolean reset) {
        SocketChannel dropped = channel;
        channel = null;
        unasked.clear();
        loop.drop(dropped, reset);
    }

    @Override
    public void close() {
        loop.remove(this);
        if (opening != null) {
            opening.close();
            opening = null;
        }
        drop(false);
    }
}
