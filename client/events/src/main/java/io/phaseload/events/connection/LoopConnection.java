package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.LoopRequest.WireView;
import io.phaseload.events.tls.TlsFailures;
import io.phaseload.http.FailureCauses;
import io.phaseload.http.IdleConnection;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import java.io.IOException;

/**
 * One user's connection. The first request opens it, and it is kept as long as the server keeps it. Owned by one event
 * loop.
 *
 * <p>Events of a channel that was dropped are ignored.
 */
@ChannelHandler.Sharable
public final class LoopConnection extends ChannelInboundHandlerAdapter
        implements LoopSender, Expirable, ConnectAttempt.Listener, UnansweredEnd.Listener {

    private final LoopContext loop;
    private final Listener listener;
    private final ResponseParser parser = new ResponseParser();
    private final InFlight flight = new InFlight();
    private final UnansweredEnd end;

    // At most one of these is set: the connection, or the attempt to open it.
    private DuplexChannel channel;
    private ConnectAttempt attempt;

    private LoopRequest request;
    private final WireView wire = new WireView();
    private long lastSetUpNanos;
    // Whether the server closed the last connection, so that the next request opens another one.
    private boolean lost;
    private ServerEnd serverEnd;
    private long idleSince;
    // When the next request is due; 0 for as soon as it is sent.
    private long dueNanos;
    private boolean reconnected;
    private boolean resent;

    // About the request in flight.
    private boolean sent;
    private boolean kept;
    private boolean afterIdle;
    private ChannelFuture written;
    // Whether the body is held back until the server asks for it.
    private boolean bodyAwaited;
    private final RequestTurns turns = new RequestTurns();

    /**
     * Creates a connection that isn't opened yet.
     *
     * @param loop the loop that owns it
     * @param listener receives each exchange
     */
    public LoopConnection(LoopContext loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
        this.end = new UnansweredEnd(loop, this);
        loop.add(this);
    }

    @Override
    public void due(long nanos) {
        dueNanos = nanos;
    }

    @Override
    public void exchange(LoopRequest next) {
        request = next;
        resent = false;
        long now = System.nanoTime();
        afterIdle = loop.target().resendIdle() && IdleConnection.wasIdle(idleSince, dueNanos == 0 ? now : dueNanos);
        if (channel == null) {
            open();
        } else if (IdleConnection.mayHaveEnded(idleSince, now)) {
            turns.next();
            // In the loop's next turn, which starts with reading.
            loop.schedule(turns.only(this::sendAfterReading), 0);
        } else {
            send(null, now, true);
        }
    }

    /** Data that arrived while the connection was idle is read before anything is sent. */
    private void sendAfterReading() {
        if (channel != null) {
            loop.readNow(channel);
        }
        if (channel == null) {
            open();
        } else {
            send(null, System.nanoTime(), true);
        }
    }

    private void open() {
        reconnected = lost;
        lost = false;
        attempt = ConnectAttempt.begin(loop, this);
    }

    @Override
    public void connected(DuplexChannel fresh, SetUp setUp) {
        attempt = null;
        channel = fresh;
        serverEnd = new ServerEnd(loop, fresh);
        lastSetUpNanos = setUp.nanos();
        fresh.pipeline().addLast(this);
        send(setUp, System.nanoTime(), false);
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        attempt = null;
        finish(Exchange.notConnected(startNanos, endNanos, outcome, reconnected));
    }

    @Override
    public void connectCancelled() {
        attempt = null;
        listener.completed(0, SendResult.NOT_SENT);
    }

    private void send(SetUp setUp, long now, boolean onKept) {
        boolean again = reconnected && !onKept;
        flight.begin(request, setUp, again, resent, now, loop.responseLimitNanos());
        request.prepared().begin(parser, false);
        kept = onKept;
        sent = true;
        written = null;
        turns.next();
        bodyAwaited = request.prepared().expectsContinue();
        end.begin(channel, request, bodyAwaited);
        if (bodyAwaited) {
            // Unless the server says before whether it wants it.
            loop.afterContinue(turns.only(this::sendBody));
        }
        if (request.prepared().events() != null) {
            watchStream();
        }
        written = channel.writeAndFlush(bodyAwaited ? request.head() : wire.of(request));
        if (isRefused()) {
            unread();
        }
    }

    /** Ends a stream of events when its time is up, which may be sooner than the next sweep. */
    private void watchStream() {
        Runnable look = () -> {
            if (sent && expire(System.nanoTime(), false) < Long.MAX_VALUE) {
                watchStream();
            }
        };
        loop.schedule(turns.only(look), flight.leftNanos(System.nanoTime()));
    }

    private void sendBody() {
        if (sent && bodyAwaited && !parser.headRead()) {
            bodyAwaited = false;
            end.sentWhole(request);
            written = channel.writeAndFlush(request.body());
        }
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
            } else if (!LoopContext.isBlank(buffer)) {
                lose(true);
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
                completed(now, !LoopContext.isBlank(buffer));
            } else if (flight.streamOver(now, parser.headRead())) {
                // The rest of its response may end by itself, soon.
                watchStream();
            } else if (parser.continued()) {
                sendBody();
            }
        } catch (MalformedException e) {
            failed(now, new Outcome.MalformedResponse(e.getMessage()));
        }
    }

    /**
     * The response is complete.
     *
     * @param surplus true if more bytes came than belong to it
     */
    private void completed(long now, boolean surplus) {
        boolean over = flight.streamOver(now, true);
        if (!over && flight.leftNanos(now) <= 0) {
            expire(now, false);
            return;
        }
        if (isToSendAgain() && IdleConnection.isIdleTimeout(parser)) {
            maybeRead(now, false);
            return;
        }
        Outcome outcome = flight.judged(now, parser);
        if (bodyAwaited || !written.isSuccess()) {
            // The response came before the whole request was sent, so the rest of it would follow.
            drop(true);
        } else if (!request.prepared().keepsConnection() || !parser.keepsConnection()) {
            drop(false);
        } else if (surplus) {
            lose(true);
        }
        idleSince = now;
        sent = false;
        Exchange exchange = flight.ended(now, outcome, parser.status(), parser.instance());
        listener.completed(exchange.sentNanos(), exchange);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (context.channel() != channel) {
            return;
        }
        if (serverEnd.isToldBy(event)) {
            ended();
        } else if (event == ChannelOutputShutdownEvent.INSTANCE && isRefused()) {
            unread();
        }
        // After a failed write, what has arrived is still read, which may be an early response.
    }

    /** The server has closed its side. */
    private void ended() {
        if (!sent) {
            lose(false);
            return;
        }
        long now = System.nanoTime();
        if (parser.endOfStream()) {
            if (serverEnd.isTrusted()) {
                completed(now, false);
            } else {
                failed(now, Outcome.NoResponse.NO_CLOSE_NOTIFY);
            }
        } else if (kept && flight.unanswered()) {
            end.ended(lastSetUpNanos, now);
        } else {
            failed(now, new Outcome.Reset(stage()));
        }
    }

    @Override
    public void maybeRead(long now, boolean received) {
        if (isToSendAgain()) {
            probablyUnread();
        } else if (received) {
            failed(now, new Outcome.Reset(stage()));
        } else {
            failed(now, IdleConnection.unanswered(lastSetUpNanos, flight.startNanos(), now));
        }
    }

    /** Sends it again, and counts that. */
    @Override
    public void probablyUnread() {
        resent = true;
        unread();
    }

    /** Whether the plan has it sent again although the server may have read it. */
    private boolean isToSendAgain() {
        return kept && afterIdle && request.prepared().idempotent();
    }

    /** Sends it over a new connection, but not from within: see {@link #finish}. */
    @Override
    public void unread() {
        sent = false;
        lose(true);
        turns.next();
        loop.execute(turns.only(this::open));
    }

    /** Whether the system, or TLS, refused the request, so that the server hasn't read it. */
    private boolean isRefused() {
        return sent
                && kept
                && written != null
                && written.isDone()
                && !written.isSuccess()
                && flight.unanswered()
                && request.prepared().isAtomic();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (context.channel() == channel) {
            broken(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (context.channel() == channel) {
            broken(new IOException("Connection reset"));
        }
    }

    private void broken(Throwable thrown) {
        if (!sent) {
            lose(true);
            return;
        }
        Throwable cause = TlsFailures.jdks(thrown);
        Outcome outcome = FailureCauses.ofExchange(cause, stage());
        if (isRefused()) {
            unread();
        } else if (kept && flight.unanswered() && outcome instanceof Outcome.Reset) {
            end.reset(System.nanoTime());
        } else {
            failed(System.nanoTime(), outcome);
        }
    }

    private Outcome.Reset.Stage stage() {
        return flight.stage(parser.headRead());
    }

    private void failed(long now, Outcome outcome) {
        drop(true);
        finish(flight.ended(now, settled(now, outcome), parser.status(), parser.instance()));
    }

    private Outcome settled(long now, Outcome outcome) {
        if (flight.streamOver(now, parser.headRead())) {
            return flight.judged(now, parser);
        }
        return flight.leftNanos(now) <= 0 ? Outcome.NoResponse.READ_TIMEOUT : outcome;
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (attempt != null) {
            return attempt.expire(now, abandon);
        }
        if (!sent) {
            return Long.MAX_VALUE;
        }
        long left = flight.leftNanos(now);
        if (left > 0 && !abandon) {
            return left;
        }
        failed(now, Outcome.ClientFault.stopped());
        return Long.MAX_VALUE;
    }

    /** Not from within: a failure may come before the call that sent the request returns. */
    private void finish(Exchange exchange) {
        sent = false;
        loop.execute(() -> listener.completed(exchange.sentNanos(), exchange));
    }

    /** The server has closed a kept connection, or sent something that isn't a response. */
    private void lose(boolean reset) {
        lost = true;
        drop(reset);
    }

    private void drop(boolean reset) {
        end.forget();
        DuplexChannel dropped = channel;
        channel = null;
        loop.drop(dropped, reset);
    }

    @Override
    public void close() {
        turns.next();
        loop.remove(this);
        if (attempt != null) {
            attempt.close();
            attempt = null;
        }
        drop(false);
    }
}
