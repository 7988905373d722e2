package io.phaseload.websocket.mqtt;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPubAckMessage;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.plan.engine.Mqtt;
import io.phaseload.websocket.frames.FrameReaders;
import java.util.Locale;
import java.util.Map;

/** MQTT 3.1.1 as one connection of a pair speaks it. Owned by one loop. */
public final class MqttSession extends ChannelInboundHandlerAdapter {

    /** Numbers of messages are 1 to 65,535, and one that isn't acknowledged isn't used again. */
    private static final int MOST_UNACKNOWLEDGED = 0xffff;

    /** The bytes of a packet beside its topic and its payload, and for those of others. */
    private static final int MARGIN = 64 << 10;

    private static final int SUBACK_FAILURE = 0x80;

    private static final Map<MqttConnectReturnCode, String> REFUSALS = Map.of(
            MqttConnectReturnCode.CONNECTION_REFUSED_UNACCEPTABLE_PROTOCOL_VERSION, "unacceptable protocol version",
            MqttConnectReturnCode.CONNECTION_REFUSED_IDENTIFIER_REJECTED, "client id rejected",
            MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE, "server unavailable",
            MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USER_NAME_OR_PASSWORD, "bad user name or password",
            MqttConnectReturnCode.CONNECTION_REFUSED_NOT_AUTHORIZED, "not authorized");

    /** Receives what happens, in the loop's thread, until the session is over or left. */
    public interface Line {

        /** The server has accepted the client and its subscription. */
        void ready();

        /** The server has refused it. */
        void failed(String why);

        /** A message, which isn't kept. */
        void received(ByteBuf payload);

        void ponged();

        void ended(String why);

        /** It takes more messages again. */
        void writable();
    }

    private final MqttClients clients;
    private final Mqtt mqtt;
    private final MqttQoS qos;
    private final String topic;
    private final long pair;
    private final int place;
    private final boolean subscribes;
    private final Line line;
    private final ProgressBudget budget = new ProgressBudget();
    private Channel channel;
    private boolean ready;
    private boolean over;
    private int messageId;
    private int unacknowledged;

    /**
     * A session that hasn't begun.
     *
     * @param place of its connection: 0 for the sender, then the receivers
     * @param subscribes true if it receives messages
     */
    public MqttSession(MqttClients clients, Mqtt mqtt, long pair, int place, boolean subscribes, Line line) {
        this.clients = clients;
        this.mqtt = mqtt;
        this.qos = MqttQoS.valueOf(mqtt.qos());
        this.topic = mqtt.topic(pair);
        this.pair = pair;
        this.place = place;
        this.subscribes = subscribes;
        this.line = line;
    }

    /**
     * Introduces itself to the server.
     *
     * @param on an open connection
     * @param messageSize the bytes of the longest payload
     */
    public void begin(Channel on, int messageSize) {
        channel = on;
        channel.pipeline().addLast(new MqttDecoder(messageSize + MARGIN), MqttEncoder.INSTANCE, this);
        write(clients.connect(pair, place));
    }

    public boolean isWritable() {
        return unacknowledged < MOST_UNACKNOWLEDGED;
    }

    /** Sends a message, which it takes over. */
    public void publish(ByteBuf payload) {
        if (mqtt.qos() > 0) {
            messageId = messageId % MOST_UNACKNOWLEDGED + 1;
            unacknowledged++;
        }
        MqttFixedHeader header = new MqttFixedHeader(MqttMessageType.PUBLISH, false, qos, false, 0);
        write(new MqttPublishMessage(header, new MqttPublishVariableHeader(topic, messageId), payload));
    }

    public void ping() {
        write(MqttMessage.PINGREQ);
    }

    /** Ends the calls of its line; the connection is closed by the caller. */
    public void leave() {
        over = true;
    }

    private void write(MqttMessage message) {
        channel.writeAndFlush(message, channel.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object packet) {
        try {
            if (!over && packet instanceof MqttMessage message) {
                read(message);
            }
        } finally {
            ReferenceCountUtil.release(packet);
        }
    }

    private void read(MqttMessage message) {
        if (message.decoderResult().isFailure()) {
            end(FrameReaders.why(message.decoderResult().cause(), "too long a message"));
            return;
        }
        switch (message.fixedHeader().messageType()) {
            case CONNACK -> accepted((MqttConnAckMessage) message);
            case SUBACK -> subscribed((MqttSubAckMessage) message);
            case PUBLISH -> published((MqttPublishMessage) message);
            case PUBACK -> acknowledged();
            case PINGRESP -> {
                line.ponged();
                spend();
            }
            default -> end("protocol error");
        }
    }

    private void accepted(MqttConnAckMessage message) {
        MqttConnectReturnCode code = message.variableHeader().connectReturnCode();
        if (code != MqttConnectReturnCode.CONNECTION_ACCEPTED) {
            String why = REFUSALS.getOrDefault(code, code.name().toLowerCase(Locale.ROOT));
            line.failed("not connected, refused: " + why);
        } else if (subscribes) {
            write(MqttMessageBuilders.subscribe()
                    .messageId(1)
                    .addSubscription(qos, topic)
                    .build());
        } else {
            begun();
        }
    }

    private void subscribed(MqttSubAckMessage message) {
        if (message.payload().reasonCodes().stream().anyMatch(code -> code >= SUBACK_FAILURE)) {
            line.failed("not subscribed: refused");
        } else {
            begun();
        }
    }

    private void begun() {
        if (!ready) {
            ready = true;
            line.ready();
        } else {
            spend();
        }
    }

    private void published(MqttPublishMessage message) {
        budget.progress();
        line.received(message.payload());
        if (message.fixedHeader().qosLevel() == MqttQoS.AT_LEAST_ONCE) {
            MqttFixedHeader header = new MqttFixedHeader(MqttMessageType.PUBACK, false, MqttQoS.AT_MOST_ONCE, false, 0);
            write(new MqttPubAckMessage(
                    header,
                    MqttMessageIdVariableHeader.from(message.variableHeader().packetId())));
        }
    }

    private void acknowledged() {
        if (unacknowledged == 0) {
            spend();
            return;
        }
        budget.progress();
        if (unacknowledged-- == MOST_UNACKNOWLEDGED) {
            line.writable();
        }
    }

    /** A packet without progress. */
    private void spend() {
        if (budget.exceeded()) {
            end(ProgressBudget.reason("packets"));
        }
    }

    private void end(String why) {
        if (!over) {
            over = true;
            line.ended(why);
            channel.close();
        }
    }

    /** A close frame of a WebSocket. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof MqttFrames.Closed closed) {
            end(closed.why());
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!over && channel.isWritable()) {
            line.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(FrameReaders.why(cause, "too long a message"));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(FrameReaders.ABNORMAL);
    }
}
