package io.phaseload.websocket.steps;

import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.websocket.frames.UpgradeResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Asks connections to become WebSockets, for users' steps. */
final class Handshake {

    private Handshake() {}

    /**
     * Begins.
     *
     * @param longestMessage that may come, in bytes
     */
    static void begin(
            DuplexChannel channel,
            URI target,
            SocketCall.ConnectCall call,
            int longestMessage,
            UpgradeResponse.Listener listener) {
        PreparedRequest request = call.request();
        HttpHeaders headers = new DefaultHttpHeaders();
        request.headers().forEach(headers::add);
        String scheme = request.scheme().equals("https") ? "wss" : "ws";
        WebSocketClientHandshaker handshaker = WebSocketClientHandshakerFactory.newHandshaker(
                URI.create(scheme + "://" + target.getRawAuthority() + request.path()),
                WebSocketVersion.V13,
                call.subprotocols().isEmpty() ? null : String.join(",", call.subprotocols()),
                false,
                headers,
                longestMessage);
        UpgradeResponse.ask(channel, handshaker, listener);
    }

    /** The lines of a response's header, each with its end. */
    static byte[] head(FullHttpResponse response) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> header : response.headers()) {
            // No answer that switches protocols has a length: Netty's aggregator adds one.
            if (response.status().code() != 101 || !header.getKey().equalsIgnoreCase("Content-Length")) {
                lines.append(header.getKey()).append(": ");
                lines.append(header.getValue()).append("\r\n");
            }
        }
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
