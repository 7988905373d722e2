package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.phaseload.events.connection.ConnectAttempt;
import io.phaseload.events.connection.Expirable;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.websocket.frames.FrameHandler;
import io.phaseload.websocket.frames.FrameReaders;
import io.phaseload.websocket.frames.UpgradeResponse;
import io.phaseload.websocket.mqtt.MqttFrames;
import io.phaseload.websocket.mqtt.MqttSession;

/** One connection of a pair, which can be opened again after it has ended. Owned by one loop. */
final class Peer implements Connection, ConnectAttempt.Listener, Expirable {

    private static final byte[] NOTHING = {};
    private static final int NORMAL = 1000;

    /** Is told what happens to it, in the loop's thread. */
    interface Listener extends Messages.PayloadReader {

        void opened(SetUp setUp, long handshakeNanos);

        /** It couldn't be opened. */
        void failed(Outcome outcome);

        /** It was open. */
        void closed(String why);

        /** The server refused something. */
        void refused(String why);

        /** A message was of no use. */
        void ignored();

        /** It takes more messages again. */
        void writable();
    }

    private enum State {
        CLOSED,
        CONNECTING,
        HANDSHAKE,
        OPENING,
        OPEN
    }

    private final LoopContext loop;
    private final Handshakes handshakes;
    private final Messages messages;
    private final long pair;
    private final int place;
    private final Listener listener;
    private State state = State.CLOSED;
    private ConnectAttempt attempt;
    private DuplexChannel channel;
    private Dialogue dialogue;
    // Null if it speaks by messages of a WebSocket's own.
    private MqttSession mqtt;
    private SetUp setUp;
    private long handshakeNanos;
    // From asking for a WebSocket to the server's answer.
    private long agreedNanos;
    // Whether a ping waits for its answer, and since when.
    private boolean pinged;
    private long pingNanos;

    /**
     * A connection that isn't open.
     *
     * @param messages reads messages
     * @param place of its pair's: 0 for the sender, then the receivers
     */
    Peer(LoopContext loop, Handshakes handshakes, Messages messages, long pair, int place, Listener listener) {
        this.loop = loop;
        this.handshakes = handshakes;
        this.messages = messages;
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
        return channel.isWritable() && (mqtt == null || mqtt.isWritable());
    }

    @Override
    public void open() {
        state = State.CONNECTING;
        attempt = ConnectAttempt.begin(loop, handshakes.node(pair + place), this);
    }

    /** Sends a message of the pair on an open connection. */
    void send(Messages.Head head) {
        if (mqtt != null) {
            mqtt.publish(messages.write(channel.alloc(), NOTHING, head, NOTHING));
        } else {
            dialogue.send(channel.alloc(), messages, head);
        }
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
        if (mqtt != null) {
            mqtt.ping();
        } else {
            channel.writeAndFlush(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER), channel.voidPromise());
        }
    }

    @Override
    public void connected(DuplexChannel made, SetUp times) {
        attempt = null;
        setUp = times;
        state = State.HANDSHAKE;
        handshakeNanos = System.nanoTime();
        channel = made;
        if (handshakes.overTcp()) {
            UpgradeResponse.prepare(channel);
            speakMqtt();
            return;
        }
        UpgradeResponse.ask(channel, handshakes.of(pair), new Opening(), handshakes.extensions());
    }

    private void speakMqtt() {
        mqtt = handshakes.newMqtt(pair, place, new MqttLine());
        mqtt.begin(channel, handshakes.longestPayload());
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
        dialogue = null;
        if (mqtt != null) {
            mqtt.leave();
            mqtt = null;
        }
        pinged = false;
        if (old != null) {
            old.close();
        }
    }

    private void end(String why) {
        if (state == State.OPEN) {
            drop();
            listener.closed(why);
        } else if (state == State.OPENING) {
            fail(new MessageLost("not subscribed: " + why, false));
        } else if (state == State.HANDSHAKE) {
            fail(new MessageLost("not connected, " + why, false));
        }
    }

    @Override
    public long expire(long now, boolean abandon) {
        if (state == State.CONNECTING && attempt != null) {
            return attempt.expire(now, abandon);
        }
        if (state == State.OPENING && abandon) {
            fail(Outcome.ClientFault.stopped());
        }
        if (state != State.HANDSHAKE) {
            return Long.MAX_VALUE;
        }
        long left = handshakeNanos + loop.connectLimitNanos() - now;
        if (left <= 0 || abandon) {
            fail(left <= 0 ? Outcome.NoResponse.CONNECT_TIMEOUT : Outcome.ClientFault.stopped());
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
            if (mqtt != null) {
                channel.write(MqttMessage.DISCONNECT, channel.voidPromise());
            }
            channel.writeAndFlush(handshakes.overTcp() ? Unpooled.EMPTY_BUFFER : new CloseWebSocketFrame(NORMAL, ""))
                    .addListener(ChannelFutureListener.CLOSE);
            channel = null;
        }
        drop();
    }

    /** Waits for the server to agree. */
    private final class Opening implements UpgradeResponse.Listener {

        private final DuplexChannel asked = channel;

        /** The connection has become a WebSocket, over which the protocol begins. */
        @Override
        public void agreed(ChannelHandlerContext context, FullHttpResponse response) {
            if (asked != channel) {
                return;
            }
            context.pipeline().addLast(handshakes.newReaders());
            if (handshakes.isMqtt()) {
                context.pipeline().addLast(new MqttFrames());
                speakMqtt();
                return;
            }
            agreedNanos = System.nanoTime() - handshakeNanos;
            SocketLine line = new SocketLine();
            context.pipeline().addLast(new FrameHandler(line, "too long a message"));
            state = State.OPENING;
            dialogue = new Dialogue(handshakes.speech(), pair, place, line);
            dialogue.begin();
        }

        @Override
        public void refused(Outcome outcome) {
            if (asked == channel) {
                fail(outcome);
            }
        }
    }

    /** The connection of a session by MQTT, until the session is left. */
    private final class MqttLine implements MqttSession.Line {

        /** The server's answers prove that it has let the client in. */
        @Override
        public void ready() {
            state = State.OPEN;
            listener.opened(setUp, System.nanoTime() - handshakeNanos);
        }

        @Override
        public void failed(String why) {
            fail(new MessageLost(why, false));
        }

        @Override
        public void received(ByteBuf payload) {
            if (!messages.read(payload, listener)) {
                listener.ignored();
            }
        }

        @Override
        public void ponged() {
            pinged = false;
        }

        @Override
        public void ended(String why) {
            end(why);
        }

        @Override
        public void writable() {
            if (state == State.OPEN) {
                listener.writable();
            }
        }
    }

    /** The WebSocket of a dialogue, as long as it is open. */
    private final class SocketLine implements Dialogue.Line, FrameHandler.Listener {

        private final DuplexChannel own = channel;

        @Override
        public boolean isInUse() {
            return own == channel;
        }

        @Override
        public void send(ByteBuf message, boolean isText) {
            own.writeAndFlush(FrameReaders.message(message, isText), own.voidPromise());
        }

        @Override
        public void after(long nanos, Runnable task) {
            loop.schedule(
                    () -> {
                        if (own == channel) {
                            task.run();
                        }
                    },
                    nanos);
        }

        /**
         * The connection counts as open when a first ping was answered: only then is it sure that the server has let it
         * in and has read all of the opening, and a message sent now would reach it.
         */
        @Override
        public void ready() {
            state = State.HANDSHAKE;
            handshakeNanos = System.nanoTime();
            sendPing();
        }

        @Override
        public void ponged(ByteBuf content) {
            pinged = false;
            if (state == State.HANDSHAKE) {
                state = State.OPEN;
                listener.opened(setUp, agreedNanos);
            }
        }

        @Override
        public void received(ByteBuf message, boolean isText) {
            dialogue.received(messages, isText, messages.read(message, listener));
        }

        @Override
        public void refused(String why) {
            listener.refused(why);
        }

        @Override
        public void ignored() {
            listener.ignored();
        }

        @Override
        public void writable() {
            listener.writable();
        }

        @Override
        public void failed(MessageLost why) {
            fail(why);
        }

        @Override
        public void closed(CloseWebSocketFrame frame) {
            own.writeAndFlush(frame.retain(), own.voidPromise());
            ended(FrameReaders.closed(frame));
        }

        @Override
        public void ended(String why) {
            Peer.this.end(why);
        }
    }
}
