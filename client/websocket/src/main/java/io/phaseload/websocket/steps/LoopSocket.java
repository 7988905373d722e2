package io.phaseload.websocket.steps;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.websocket.frames.FrameHandler;
import io.phaseload.websocket.frames.FrameReaders;
import io.phaseload.websocket.frames.UpgradeResponse;
import java.time.Duration;
import java.util.List;

/** A user's WebSocket on an event loop. Owned by the loop. */
final class LoopSocket implements UserSocket, ConnectAttempt.Listener, Expirable {

    private static final int LONGEST_MESSAGE = KeptBody.CHECKED_BYTES;
    private static final int SWITCHING = 101;
    private static final String NOT_CONNECTED = "not connected";

    private final LoopContext loop;
    private final Inbox inbox = new Inbox();

    // At most one of these is set: the connection, or the attempt to open it.
    private DuplexChannel channel;
    private ConnectAttempt attempt;
    // Why there is no open connection; null if there is one.
    private String ended = NOT_CONNECTED;
    // Whether a message was sent since the last one that was expected, and when.
    private boolean sent;
    private long sentNanos;
    private byte pings;
    private List<SocketCall.Reply> replies = List.of();

    // The call that is not over, and its time; null between calls.
    private SocketCall call;
    private Listener listener;
    private long begunNanos;
    private long limitNanos;
    private SetUp setUp;
    // The last message that wasn't the expected one; null without any.
    private byte[] passedOver;
    private ScheduledFuture<?> timer;

    LoopSocket(LoopContext loop) {
        this.loop = loop;
        loop.add(this);
    }

    @Override
    public void perform(SocketCall next, Listener told) {
        call = next;
        listener = told;
        begunNanos = System.nanoTime();
        if (next instanceof SocketCall.ConnectCall) {
            disconnect();
            attempt = ConnectAttempt.begin(loop, this);
        } else if (next instanceof SocketCall.ExpectCall expect) {
            passedOver = null;
            look(expect);
        } else if (ended != null) {
            fail(new SocketFailure(ended, "", false));
        } else if (next instanceof SocketCall.SendCall send) {
            send(send);
        } else if (next instanceof SocketCall.PingCall ping) {
            limit(ping.within());
            write(new PingWebSocketFrame(Unpooled.wrappedBuffer(new byte[] {++pings})));
        } else if (next instanceof SocketCall.CloseCall close) {
            limit(loop.target().responseTimeout());
            write(new CloseWebSocketFrame(close.code(), ""));
        }
    }

    /** Among the messages that are there; else it waits. */
    private void look(SocketCall.ExpectCall expect) {
        Inbox.ArrivedMessage found = inbox.take(expect, this::passOver);
        if (found != null) {
            received(expect, found);
        } else if (ended != null) {
            fail(new SocketFailure(ended, "", false));
        } else {
            limit(expect.within());
        }
    }

    private void send(SocketCall.SendCall send) {
        limit(loop.target().responseTimeout());
        sent = true;
        sentNanos = begunNanos;
        SocketCall of = call;
        write(FrameReaders.message(Unpooled.wrappedBuffer(send.bytes()), send.isText()))
                .addListener(written -> {
                    if (call == of && written.isSuccess()) {
                        succeed(System.nanoTime(), 0, 0, NONE);
                    }
                });
    }

    private ChannelFuture write(WebSocketFrame frame) {
        return channel.writeAndFlush(frame);
    }

    private void limit(Duration time) {
        limitNanos = time.toNanos();
        SocketCall of = call;
        timer = loop.schedule(
                () -> {
                    if (call == of) {
                        expired();
                    }
                },
                limitNanos);
    }

    private void expired() {
        String time = SocketAction.text(Duration.ofNanos(limitNanos));
        Outcome outcome;
        if (call instanceof SocketCall.ConnectCall) {
            outcome = Outcome.NoResponse.CONNECT_TIMEOUT;
            drop(NOT_CONNECTED);
        } else if (call instanceof SocketCall.ExpectCall expect) {
            String came = passedOver == null ? "" : "the last message was " + expect.quoted(passedOver);
            outcome = new SocketFailure("expected message not received within " + time, came, true);
        } else if (call instanceof SocketCall.SendCall) {
            outcome = new SocketFailure("message not sent within " + time, "", true);
        } else if (call instanceof SocketCall.PingCall) {
            outcome = new SocketFailure("no pong within " + time, "", true);
        } else {
            outcome = new SocketFailure("not closed by the server within " + time, "", true);
            drop(NOT_CONNECTED);
        }
        complete(begunNanos + limitNanos, outcome, 0, 0, NONE);
    }

    @Override
    public void connected(DuplexChannel made, SetUp times) {
        attempt = null;
        channel = made;
        setUp = times;
        begunNanos = System.nanoTime();
        limit(loop.target().connectTimeout());
        SocketCall.ConnectCall connect = (SocketCall.ConnectCall) call;
        Handshake.begin(made, loop.target().uri(), connect, LONGEST_MESSAGE, new OpenSocket(made, connect));
    }

    /** A connection, as long as it is the user's. */
    private final class OpenSocket implements UpgradeResponse.Listener, FrameHandler.Listener {

        private final DuplexChannel own;
        private final SocketCall.ConnectCall connect;

        OpenSocket(DuplexChannel own, SocketCall.ConnectCall connect) {
            this.own = own;
            this.connect = connect;
        }

        @Override
        public boolean isInUse() {
            return own == channel;
        }

        @Override
        public void answered(FullHttpResponse response) {
            if (own == channel) {
                listener.answered(Handshake.head(response));
            }
        }

        @Override
        public void agreed(ChannelHandlerContext context, FullHttpResponse response) {
            connect.request().switched(response.status().code(), Handshake.head(response));
            if (own == channel) {
                context.pipeline()
                        .addLast(FrameReaders.upTo(LONGEST_MESSAGE))
                        .addLast(new FrameHandler(this, "message longer than 1 MiB"));
                ended = null;
                replies = connect.replies();
                succeed(System.nanoTime(), SWITCHING, 0, NONE);
            }
        }

        @Override
        public void refused(Outcome outcome) {
            if (own == channel) {
                drop(NOT_CONNECTED);
                fail(outcome);
            }
        }

        @Override
        public void received(ByteBuf content, boolean isText) {
            arrived(new Inbox.ArrivedMessage(ByteBufUtil.getBytes(content), isText, System.nanoTime()));
        }

        @Override
        public void ponged(ByteBuf content) {
            if (call instanceof SocketCall.PingCall
                    && content.readableBytes() == 1
                    && content.getByte(content.readerIndex()) == pings) {
                succeed(System.nanoTime(), 0, 0, NONE);
            }
        }

        @Override
        public void closed(CloseWebSocketFrame frame) {
            if (call instanceof SocketCall.CloseCall) {
                drop(NOT_CONNECTED);
                succeed(System.nanoTime(), 0, 0, NONE);
            } else {
                own.writeAndFlush(frame.retain(), own.voidPromise());
                ended(FrameReaders.closed(frame));
            }
        }

        @Override
        public void ended(String why) {
            drop(why);
            if (call != null) {
                fail(new SocketFailure(why, "", false));
            }
        }
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        attempt = null;
        complete(Exchange.notConnected(startNanos, endNanos, outcome, false), NONE);
    }

    @Override
    public void connectCancelled() {
        attempt = null;
        complete(SendResult.NOT_SENT, NONE);
    }

    private void arrived(Inbox.ArrivedMessage message) {
        if (replied(message)) {
            return;
        }
        if (!(call instanceof SocketCall.ExpectCall expect)) {
            inbox.add(message);
        } else if (expect.match().fits(message.bytes(), message.isText())) {
            received(expect, message);
        } else {
            passOver(message);
        }
    }

    /** Whatever the user does meanwhile. */
    private boolean replied(Inbox.ArrivedMessage message) {
        for (SocketCall.Reply reply : replies) {
            if (reply.to().fits(message.bytes(), message.isText())) {
                channel.writeAndFlush(
                        FrameReaders.message(Unpooled.wrappedBuffer(reply.bytes()), reply.isText()),
                        channel.voidPromise());
                return true;
            }
        }
        return false;
    }

    private void passOver(Inbox.ArrivedMessage message) {
        passedOver = message.bytes();
        listener.received(message.bytes(), message.isText());
    }

    private void received(SocketCall.ExpectCall expect, Inbox.ArrivedMessage message) {
        // What came before the message was sent doesn't answer it.
        boolean answer = sent && message.nanos() - sentNanos >= 0;
        sent &= !answer;
        Outcome outcome = expect.taken(message.bytes(), message.nanos());
        listener.received(message.bytes(), message.isText());
        complete(
                Math.max(begunNanos, message.nanos()),
                outcome,
                0,
                message.bytes().length,
                answer ? message.nanos() - sentNanos : NONE);
    }

    private void succeed(long now, int status, long bytes, long trip) {
        complete(now, Outcome.SUCCESS, status, bytes, trip);
    }

    private void fail(Outcome outcome) {
        int status = outcome instanceof Outcome.HttpFailure failure ? failure.status() : 0;
        complete(System.nanoTime(), outcome, status, 0, NONE);
    }

    private void complete(long now, Outcome outcome, int status, long bytes, long trip) {
        complete(
                new Exchange(
                        begunNanos,
                        Exchange.NO_BYTE,
                        now,
                        outcome,
                        status,
                        bytes,
                        setUp,
                        false,
                        0,
                        null,
                        Exchange.NO_LEASE),
                trip);
    }

    /** Not from within: what follows may be the next call. */
    private void complete(SendResult result, long trip) {
        Listener told = listener;
        call = null;
        listener = null;
        setUp = null;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        loop.execute(() -> told.performed(result, trip));
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (attempt != null) {
            return attempt.expire(now, abandon);
        }
        if (call != null && abandon) {
            fail(Outcome.ClientFault.stopped());
        }
        return Long.MAX_VALUE;
    }

    private void disconnect() {
        if (channel != null && ended == null) {
            channel.writeAndFlush(new CloseWebSocketFrame(1000, "")).addListener(ChannelFutureListener.CLOSE);
            channel = null;
        }
        drop(NOT_CONNECTED);
        inbox.clear();
        replies = List.of();
        sent = false;
    }

    private void drop(String why) {
        DuplexChannel old = channel;
        channel = null;
        ended = why;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        if (attempt != null) {
            attempt.close();
            attempt = null;
        }
        call = null;
        disconnect();
    }
}
