package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.websocket.frames.FrameReaders;
import io.phaseload.websocket.frames.UpgradeResponse;

/** One connection of a pair, which can be opened again after it has ended. Owned by one loop. */
final class Peer implements Connection, ConnectAttempt.Listener, Expirable {

    private static final int NORMAL = 1000;
    private static final int NO_CODE = -1;
    private static final int NO_STATUS = 1005;

    /** Is told what happens to it, in the loop's thread. */
    interface Listener {

        void opened(SetUp setUp, long handshakeNanos);

        /** It couldn't be opened. */
        void failed(Outcome outcome);

        /** It was open. */
        void closed(String why);

        /** A whole message, which isn't kept. */
        void received(ByteBuf message);

        /** It takes more messages again. */
        void writable();
    }

    private enum State {
        CLOSED,
        CONNECTING,
        HANDSHAKE,
        OPEN
    }

    private final LoopContext loop;
    private final Handshakes handshakes;
    private final long pair;
    private final int place;
    private final Listener listener;
    private State state = State.CLOSED;
    private ConnectAttempt attempt;
    private DuplexChannel channel;
    private long handshakeNanos;
    // Whether a ping waits for its answer, and since when.
    private boolean pinged;
    private long pingNanos;

    /**
     * A connection that isn't open.
     *
     * @param place of its pair's: 0 for the sender, then the receivers
     */
    Peer(LoopContext loop, Handshakes handshakes, long pair, int place, Listener listener) {
        this.loop = loop;
        this.handshakes = handshakes;
        this.pair = pair;
        this.place = place;
        this.listener = listener;
        loop.add(this);
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void open() {
        state = State.CONNECTING;
        attempt = ConnectAttempt.begin(loop, handshakes.node(pair + place), this);
    }

    /** Sends a message on an open connection, which takes it over. */
    void send(ByteBuf message) {
        channel.writeAndFlush(new TextWebSocketFrame(message), channel.voidPromise());
    }

    ByteBuf write(Messages messages, Messages.Head head) {
        return messages.write(channel.alloc(), head);
    }

    @Override
    public void ping() {
        if (state != State.OPEN) {
            return;
        }
        long now = System.nanoTime();
        if (pinged) {
            if (now - pingNanos - loop.responseLimitNanos() >= 0) {
                end("no pong");
            }
            return;
        }
        sendPing();
    }

    private void sendPing() {
        pinged = true;
        pingNanos = System.nanoTime();
        channel.writeAndFlush(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER), channel.voidPromise());
    }

    @Override
    public void connected(DuplexChannel made, SetUp setUp) {
        attempt = null;
        state = State.HANDSHAKE;
        handshakeNanos = System.nanoTime();
        channel = made;
        UpgradeResponse.ask(channel, handshakes.of(pair), new Opening(made, setUp), handshakes.extensions());
    }

    @Override
    public void connectFailed(long startNanos, long endNanos, Outcome outcome) {
        fail(outcome);
    }

    @Override
    public void connectCancelled() {
        fail(Outcome.ClientFault.stopped());
    }

    private void fail(Outcome outcome) {
        attempt = null;
        drop();
        listener.failed(outcome);
    }

    private void drop() {
        DuplexChannel old = channel;
        state = State.CLOSED;
        channel = null;
        pinged = false;
        if (old != null) {
            old.close();
        }
    }

    private void end(String why) {
        if (state == State.OPEN) {
            drop();
            listener.closed(why);
        } else if (state == State.HANDSHAKE) {
            fail(new Outcome.MessageLost("not connected, " + why, false));
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (state == State.CONNECTING && attempt != null) {
            return attempt.expire(now, abandon);
        }
        if (state != State.HANDSHAKE) {
            return Long.MAX_VALUE;
        }
        long left = handshakeNanos + loop.connectLimitNanos() - now;
        if (left <= 0 || abandon) {
            fail(left <= 0 ? new Outcome.ConnectTimeout() : Outcome.ClientFault.stopped());
            return Long.MAX_VALUE;
        }
        return left;
    }

    /** Ends it without telling the listener: with 1000, if it is open. */
    @Override
    public void close() {
        if (attempt != null) {
            attempt.close();
            attempt = null;
        }
        if (state == State.OPEN) {
            channel.writeAndFlush(new CloseWebSocketFrame(NORMAL, "")).addListener(ChannelFutureListener.CLOSE);
            channel = null;
        }
        drop();
    }

    /** Waits for the server to agree. */
    private final class Opening implements UpgradeResponse.Listener {

        private final DuplexChannel asked;
        private final SetUp setUp;

        Opening(DuplexChannel asked, SetUp setUp) {
            this.asked = asked;
            this.setUp = setUp;
        }

        /**
         * The connection counts as open when a first ping was answered: only then is it sure that the server has let it
         * in, and a message sent now would reach it.
         */
        @Override
        public void agreed(ChannelHandlerContext context, FullHttpResponse response) {
            if (asked == channel) {
                long nanos = System.nanoTime() - handshakeNanos;
                context.pipeline().addLast(handshakes.newReaders()).addLast(new FrameHandler(setUp, nanos));
                sendPing();
            }
        }

        @Override
        public void refused(Outcome outcome) {
            if (asked == channel) {
                fail(outcome);
            }
        }
    }

    /** Reads what the server sends on an open connection. */
    private final class FrameHandler extends ChannelInboundHandlerAdapter {

        private final SetUp setUp;
        private final long agreedNanos;

        FrameHandler(SetUp setUp, long agreedNanos) {
            this.setUp = setUp;
            this.agreedNanos = agreedNanos;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            try {
                if (context.channel() == channel) {
                    read(context, frame);
                }
            } finally {
                ReferenceCountUtil.release(frame);
            }
        }

        private void read(ChannelHandlerContext context, Object frame) {
            if (frame instanceof TextWebSocketFrame text) {
                listener.received(text.content());
            } else if (frame instanceof BinaryWebSocketFrame binary) {
                listener.received(binary.content());
            } else if (frame instanceof PingWebSocketFrame ping) {
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()), context.voidPromise());
            } else if (frame instanceof PongWebSocketFrame) {
                pinged = false;
                if (state == State.HANDSHAKE) {
                    state = State.OPEN;
                    listener.opened(setUp, agreedNanos);
                }
            } else if (frame instanceof CloseWebSocketFrame close) {
                int code = close.statusCode();
                context.writeAndFlush(close.retain(), context.voidPromise());
                end("closed " + (code == NO_CODE ? NO_STATUS : code));
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (context.channel() == channel && channel.isWritable()) {
                listener.writable();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (context.channel() == channel) {
                end(FrameReaders.why(cause, "too long a message"));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (context.channel() == channel) {
                end(FrameReaders.ABNORMAL);
            }
        }
    }
}
