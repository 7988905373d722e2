package io.phaseload.websocket;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.phaseload.events.connection.Resolver;
import io.phaseload.plan.Header;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.websocket.frames.FrameReaders;
import io.phaseload.websocket.mqtt.MqttClients;
import io.phaseload.websocket.mqtt.MqttSession;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Where connections of one run go, how they become WebSockets, and the protocol that they speak. Thread-safe. */
final class Handshakes implements AutoCloseable {

    /** Beyond our own messages, for those of a server that says more. */
    private static final int MARGIN = 64 << 10;

    private final Target target;
    private final Protocol.WebSocket protocol;
    private final PairSpeech speech;
    private final Optional<MqttClients> mqtt;
    private final List<Resolver> nodes;
    private final HttpHeaders headers = new DefaultHttpHeaders();

    Handshakes(Plan plan, Protocol.WebSocket protocol) {
        this.target = plan.target();
        this.protocol = protocol;
        this.speech = new PairSpeech(plan, protocol.subscribers() == 0, System.getenv());
        this.mqtt = protocol.mqtt().map(of -> new MqttClients(target, protocol.ping()));
        this.nodes = target.nodes().stream().map(Resolver::new).toList();
        for (Header header : target.headers()) {
            headers.add(header.name(), header.value());
        }
    }

    /**
     * The way to a node of the target.
     *
     * @param turn any number; the one after it is the next node's
     */
    Resolver node(long turn) {
        return nodes.get((int) (turn % nodes.size()));
    }

    /** The protocol of the connections. */
    PairSpeech speech() {
        return speech;
    }

    /** A reader of messages for one loop. */
    Messages newMessages() {
        return speech.newMessages(protocol.messageSize());
    }

    @Override
    public void close() {
        nodes.forEach(Resolver::close);
    }

    /** Whether messages go by MQTT. */
    boolean isMqtt() {
        return mqtt.isPresent();
    }

    /** Whether they go without WebSockets. */
    boolean overTcp() {
        return Target.isMqtt(target.uri().toString());
    }

    /** A session of a connection of a pair, which hasn't begun. */
    MqttSession newMqtt(long pair, int place, MqttSession.Line line) {
        boolean subscribes = place > 0 || protocol.subscribers() == 0;
        return new MqttSession(mqtt.orElseThrow(), protocol.mqtt().orElseThrow(), pair, place, subscribes, line);
    }

    int longestPayload() {
        return protocol.messageSize();
    }

    private int longestMessage() {
        return protocol.messageSize() + MARGIN;
    }

    /** Makes whole messages of frames on a connection that has become a WebSocket. */
    ChannelHandler[] newReaders() {
        return FrameReaders.upTo(longestMessage());
    }

    /** Negotiates the extensions of one connection with the server. */
    ChannelHandler[] extensions() {
        return protocol.compressed()
                ? new ChannelHandler[] {new WebSocketClientCompressionHandler(longestMessage())}
                : new ChannelHandler[0];
    }

    /** The handshake of one connection of a pair. */
    WebSocketClientHandshaker of(long pair) {
        URI uri = URI.create(target.uri().toString().replace(Target.ENCODED_PAIR, Long.toString(pair)));
        return WebSocketClientHandshakerFactory.newHandshaker(
                uri,
                WebSocketVersion.V13,
                protocol.subprotocols().isEmpty() ? null : String.join(",", protocol.subprotocols()),
                protocol.compressed(),
                headers,
                longestMessage());
    }
}
