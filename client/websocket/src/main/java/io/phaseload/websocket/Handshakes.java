package io.phaseload.websocket;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.phaseload.plan.Header;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Protocol;
import java.net.URI;

/** How connections of one run become WebSockets. Thread-safe. */
final class Handshakes {

    private static final int LONGEST_RESPONSE = 64 << 10;

    /** Beyond our own messages, for those of a server that says more. */
    private static final int MARGIN = 64 << 10;

    private final Target target;
    private final Protocol.WebSocket protocol;
    private final HttpHeaders headers = new DefaultHttpHeaders();

    Handshakes(Target target, Protocol.WebSocket protocol) {
        this.target = target;
        this.protocol = protocol;
        for (Header header : target.headers()) {
            headers.add(header.name(), header.value());
        }
    }

    int longestMessage() {
        return protocol.messageSize() + MARGIN;
    }

    /** Adds what reads the server's answer to a channel. */
    void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new HttpClientCodec(), new HttpObjectAggregator(LONGEST_RESPONSE));
        if (protocol.compressed()) {
            pipeline.addLast(new WebSocketClientCompressionHandler(longestMessage()));
        }
    }

    /** The handshake of one connection of a pair. */
    WebSocketClientHandshaker of(long pair) {
        URI uri =
                URI.create(
                        target.uri().toString().replace(Target.ENCODED_PAIR, Long.toString(pair)));
        return WebSocketClientHandshakerFactory.newHandshaker(
                uri,
                WebSocketVersion.V13,
                protocol.subprotocols().isEmpty()
                        ? null
                        : String.join(",", protocol.subprotocols()),
                protocol.compressed(),
                headers,
                longestMessage());
    }
}
