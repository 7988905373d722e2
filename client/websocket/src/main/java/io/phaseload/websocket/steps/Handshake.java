package io.phaseload.websocket.steps;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.measure.Outcome;
import io.phaseload.websocket.frames.UpgradeResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Asks a connection to become a WebSocket, and passes the answer to the user's session. Owned by one loop. */
final class Handshake implements UpgradeResponse.Listener {

    /** Is told in the loop's thread of the answer, and of the end, once. */
    interface Listener {

        /**
         * A response has come.
         *
         * @param head the lines of its header, each with its end
         */
        void answered(byte[] head);

        /** The server has agreed; frames come next. */
        void agreed(ChannelHandlerContext context);

        /** It hasn't. */
        void refused(Outcome outcome);
    }

    private final PreparedRequest request;
    private final Listener listener;

    private Handshake(PreparedRequest request, Listener listener) {
        this.request = request;
        this.listener = listener;
    }

    /**
     * Begins.
     *
     * @param longestMessage that may come, in bytes
     */
    static void begin(
            DuplexChannel channel, URI target, SocketCall.ConnectCall call, int longestMessage, Listener listener) {
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
        UpgradeResponse.ask(channel, handshaker, new Handshake(request, listener));
    }

    @Override
    public void answered(FullHttpResponse response) {
        listener.answered(head(response));
    }

    @Override
    public void agreed(ChannelHandlerContext context, FullHttpResponse response) {
        request.switched(response.status().code(), head(response));
        listener.agreed(context);
    }

    @Override
    public void refused(Outcome outcome) {
        listener.refused(outcome);
    }

    private static byte[] head(FullHttpResponse response) {
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
