package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.phaseload.http.Exchange;
import io.phaseload.http.Exchange.SetUp;
import io.phaseload.http.Failures;
import io.phaseload.http.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * One user's connection. It is opened by the first request and kept as long as the server keeps it.
 * Owned by one event loop.
 *
 * <p>What was decided of a channel is decided: events of one that was dropped are ignored.
 */
@ChannelHandler.Sharable
final class LoopConnection extends ChannelInboundHandlerAdapter {

    /** Is given what a request came to; never from within the call that sent it. */
    @FunctionalInterface
    interface Answered {
        void answered(Exchange exchange);
    }

    /** A request up to this size is handed to the system whole or not at all. */
    private static final int ATOMIC_WRITE = 16 << 10;

    /** More than this isn't kept of what a server says without being asked. */
    private static final int MAX_EARLY = 64 << 10;

    private static final long NO_BYTE = -1;

    private final LoopContext loop;
    private final Answered listener;
    private final ResponseParser parser;

    private SocketChannel channel;
    private LoopRequest request;
    private LoopRequest wireOf;
    private ByteBuf wire;
    private SetUp setUp;
    private long lastSetUpNanos;
    private boolean kept;
    private boolean reconnected;
    private ChannelFuture written;
    private long startNanos;
    private long deadlineNanos;
    private long firstByteNanos;
    private long bytes;
    private boolean probing;

    // What came while no request was in flight.
    private boolean ended;
    private boolean unsolicited;
    private ByteBuf early;

    /** How far the exchange in progress is. */
    private enum Stage {
        NONE,
        CONNECTING,
        SENT
    }

    private Stage stage = Stage.NONE;

    /**
     * Makes a connection that isn't opened yet.
     *
     * @param loop the loop that owns it
     * @param listener hears of each exchange
     */
    LoopConnection(LoopContext loop, Answered listener) {
        this.loop = loop;
        this.listener = listener;
        this.parser = new ResponseParser(loop.chunk());
        loop.add(this);
    }

    /**
     * Sends a request; the answer comes later. If the server had closed a kept connection before
     * the request was sent, it goes over a fresh one.
     */
    void exchange(LoopRequest next) {
        request = next;
        reconnected = false;
        if (channel == null) {
            open();
        } else if (unsolicited) {
            startNanos = System.nanoTime();
            begin(null);
            loop.execute(
                    () ->
                            failed(
                                    new Outcome.MalformedResponse(
                                            "bytes before the request was sent")));
        } else if (ended && early == null) {
            reconnect();
        } else {
            send(null, true);
        }
    }

    private void reconnect() {
        reconnected = true;
        drop(true);
        open();
    }

    private void open() {
        startNanos = System.nanoTime();
        deadlineNanos = startNanos + loop.connectLimitNanos();
        setUp = null;
        stage = Stage.CONNECTING;
        long begun = startNanos;
        loop.lookUp(
                (addresses, failure) -> {
                    // Else its time was up, and another may have begun since.
                    if (stage == Stage.CONNECTING && startNanos == begun) {
                        if (failure != null) {
                            connectFailed(failure);
                        } else {
                            connect(addresses, 0, System.nanoTime(), null);
                        }
                    }
                });
    }

    /** Each address gets an equal part of the time that is left. */
    private void connect(InetAddress[] addresses, int index, long found, Throwable first) {
        if (index == addresses.length) {
            connectFailed(first);
            return;
        }
        long nanos = (deadlineNanos - System.nanoTime()) / (addresses.length - index);
        SocketChannel fresh;
        try {
            fresh = loop.newChannel(this);
        } catch (ChannelException e) {
            // No file descriptor is left, for one.
            connectFailed(e.getCause() == null ? e : e.getCause());
            return;
        }
        fresh.config()
                .setTcpNoDelay(true)
                .setAllowHalfClosure(true)
                .setConnectTimeoutMillis((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        channel = fresh;
        ended = false;
        unsolicited = false;
        fresh.connect(new InetSocketAddress(addresses[index], loop.target().port()))
                .addListener(
                        connected -> {
                            if (fresh != channel || stage != Stage.CONNECTING) {
                                return;
                            }
                            if (connected.isSuccess()) {
                                connected(found);
                            } else {
                                drop(true);
                                Throwable cause = connected.cause();
                                loop.execute(
                                        () ->
                                                nextAddress(
                                                        addresses,
                                                        index + 1,
                                                        found,
                                                        first == null ? cause : first));
                            }
                        });
    }

    private void nextAddress(InetAddress[] addresses, int index, long found, Throwable first) {
        if (stage == Stage.CONNECTING) {
            connect(addresses, index, found, first);
        }
    }

    private void connected(long found) {
        long now = System.nanoTime();
        setUp = new SetUp(found - startNanos, now - found, -1);
        lastSetUpNanos = setUp.nanos();
        if (now - deadlineNanos >= 0) {
            expire(now, false);
        } else {
            send(setUp, false);
        }
    }

    private void connectFailed(Throwable why) {
        Outcome outcome =
                why instanceof Exception exception
                        ? Failures.ofConnect(exception)
                        : new Outcome.ClientFault("internal", String.valueOf(why));
        long end = System.nanoTime();
        if (end - deadlineNanos >= 0) {
            outcome = new Outcome.ConnectTimeout();
        }
        failedToConnect(outcome, end);
    }

    private void failedToConnect(Outcome outcome, long end) {
        drop(true);
        finish(
                new Exchange(
                        startNanos,
                        NO_BYTE,
                        outcome.censored() ? startNanos + loop.connectLimitNanos() : end,
                        outcome,
                        0,
                        null,
                        reconnected,
                        null));
    }

    private void begin(SetUp made) {
        setUp = made;
        deadlineNanos = startNanos + loop.responseLimitNanos();
        firstByteNanos = 0;
        bytes = 0;
        probing = false;
        written = null;
        stage = Stage.SENT;
        parser.begin(request.head(), request.bodyKept());
    }

    private void send(SetUp made, boolean onKept) {
        kept = onKept;
        startNanos = System.nanoTime();
        begin(made);
        written = channel.writeAndFlush(wire());
        if (early != null) {
            ByteBuf said = early;
            early = null;
            SocketChannel of = channel;
            loop.execute(() -> readEarly(of, said));
        }
    }

    /** What the server said before is taken for its answer, as a blocking client would take it. */
    private void readEarly(SocketChannel of, ByteBuf said) {
        try {
            if (of == channel && stage == Stage.SENT) {
                read(said);
                if (ended && of == channel && stage == Stage.SENT) {
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
            if (stage == Stage.SENT) {
                read(buffer);
            } else {
                keepEarly(buffer);
            }
        } finally {
            buffer.release();
        }
    }

    private void keepEarly(ByteBuf buffer) {
        if (early == null) {
            early = Unpooled.buffer(buffer.readableBytes());
        }
        if (early.readableBytes() < MAX_EARLY) {
            early.writeBytes(buffer);
        }
    }

    private void read(ByteBuf buffer) {
        long now = System.nanoTime();
        bytes += buffer.readableBytes();
        if (firstByteNanos == 0) {
            firstByteNanos = now;
        }
        try {
            if (parser.parse(buffer)) {
                unsolicited = buffer.isReadable();
                whole(now);
            }
        } catch (MalformedException e) {
            failed(new Outcome.MalformedResponse(e.getMessage()));
        }
    }

    private void whole(long now) {
        if (now - deadlineNanos >= 0) {
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
        finish(exchange(now, outcome));
    }

    private Exchange exchange(long end, Outcome outcome) {
        return new Exchange(
                startNanos,
                firstByteNanos == 0 ? NO_BYTE : firstByteNanos - startNanos,
                end,
                outcome,
                bytes,
                setUp,
                reconnected,
                parser.instance());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && context.channel() == channel) {
            ended = true;
            if (stage == Stage.SENT) {
                ended();
            }
        }
    }

    /** The server has ended the stream while a request was in flight. */
    private void ended() {
        if (parser.endOfStream()) {
            whole(System.nanoTime());
        } else if (kept && bytes == 0 && !probing) {
            probe();
        } else {
            failed(new Outcome.Reset(resetStage()));
        }
    }

    /**
     * Finds out whether the server had closed the connection before it got the request. Then its
     * system answers the request with a reset, which the next write meets.
     */
    private void probe() {
        probing = true;
        SocketChannel of = channel;
        long begun = startNanos;
        // The reset needs a round trip; making the connection took at least one.
        long wait = Math.max(1_000_000L, Math.min(2 * lastSetUpNanos, 1_000_000_000L));
        Runnable again =
                () -> {
                    if (of == channel && stage == Stage.SENT && startNanos == begun) {
                        of.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                                .addListener(taken -> probed(of, begun, taken.isSuccess()));
                    }
                };
        loop.schedule(again, wait);
    }

    private void probed(SocketChannel of, long begun, boolean taken) {
        if (of == channel && stage == Stage.SENT && startNanos == begun) {
            if (taken) {
                failed(new Outcome.Reset(resetStage()));
            } else {
                loop.execute(this::reconnect);
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (context.channel() != channel) {
            return;
        }
        if (stage == Stage.SENT) {
            broken(cause);
        } else if (stage == Stage.NONE) {
            ended = true;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (context.channel() != channel) {
            return;
        }
        if (stage == Stage.SENT) {
            if (written != null && written.isSuccess()) {
                // The channel is gone without a word of why: that is the end of the stream.
                probing = true;
                ended();
            } else {
                broken(new IOException("Connection reset"));
            }
        } else if (stage == Stage.NONE) {
            ended = true;
        }
    }

    private void broken(Throwable cause) {
        boolean refused =
                written != null
                        && written.isDone()
                        && !written.isSuccess()
                        && request.wire().capacity() <= ATOMIC_WRITE;
        if (kept && bytes == 0 && (refused || probing)) {
            loop.execute(this::reconnectIfSent);
            return;
        }
        Outcome outcome =
                cause instanceof Exception exception
                        ? Failures.ofExchange(exception, resetStage())
                        : new Outcome.ClientFault("internal", cause.toString());
        failed(outcome);
    }

    private void reconnectIfSent() {
        if (stage == Stage.SENT) {
            reconnect();
        }
    }

    private Outcome.Reset.Stage resetStage() {
        if (bytes == 0) {
            return Outcome.Reset.Stage.BEFORE_RESPONSE;
        }
        return parser.headRead() ? Outcome.Reset.Stage.IN_BODY : Outcome.Reset.Stage.IN_HEADER;
    }

    private void failed(Outcome outcome) {
        long now = System.nanoTime();
        if (now - deadlineNanos >= 0) {
            expire(now, false);
            return;
        }
        drop(true);
        finish(exchange(now, outcome));
    }

    /**
     * Ends the exchange in progress if its time is up.
     *
     * @param now as {@link System#nanoTime()}
     * @param abandon whether it is to end in any case
     * @return nanoseconds until it is up, or {@link Long#MAX_VALUE} if none is in progress
     */
    long expire(long now, boolean abandon) {
        if (stage == Stage.NONE) {
            return Long.MAX_VALUE;
        }
        boolean late = now - deadlineNanos >= 0;
        if (!late && !abandon) {
            return deadlineNanos - now;
        }
        if (stage == Stage.CONNECTING) {
            failedToConnect(late ? new Outcome.ConnectTimeout() : stopped(), now);
        } else {
            drop(true);
            finish(
                    late
                            ? exchange(
                                    startNanos + loop.responseLimitNanos(),
                                    new Outcome.ReadTimeout())
                            : exchange(now, stopped()));
        }
        return Long.MAX_VALUE;
    }

    private static Outcome stopped() {
        return new Outcome.ClientFault("stopped in flight", "the run was stopped");
    }

    private void finish(Exchange exchange) {
        stage = Stage.NONE;
        if (exchange.outcome().responded()) {
            listener.answered(exchange);
        } else {
            // Not from within: a failure may come before the call that sent the request returns.
            loop.execute(() -> listener.answered(exchange));
        }
    }

    /**
     * Gives the channel up.
     *
     * @param reset so that no port is left waiting for what a broken peer may still send
     */
    private void drop(boolean reset) {
        SocketChannel dropped = channel;
        channel = null;
        ended = false;
        unsolicited = false;
        if (early != null) {
            early.release();
            early = null;
        }
        if (dropped != null) {
            if (reset && dropped.isActive()) {
                dropped.config().setOption(ChannelOption.SO_LINGER, 0);
            }
            dropped.close();
        }
    }

    /** Closes the connection, if it is open, and leaves its loop. */
    void close() {
        loop.remove(this);
        drop(false);
    }
}
