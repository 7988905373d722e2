package io.phaseload.websocket.steps;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.measure.Outcome;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Asks a connection to become a WebSocket, and reads the server's answer. Owned by one loop. */
final class Handshake extends ChannelInboundHandlerAdapter {

    private static final int LONGEST_RESPONSE = 64 << 10;

    /** Is told of the end, once, in the loop's thread. */
    interface Listener {

        /** The server has agreed; frames come next. */
        void agreed(ChannelHandlerContext context);

        /** It hasn't. */
        void refused(Outcome outcome);
    }

    private final WebSocketClientHandshaker handshaker;
    private final PreparedRequest request;
    private final Listener listener;
    private boolean over;

    private Handshake(
            WebSocketClientHandshaker handshaker, PreparedRequest request, Listener listener) {
        this.handshaker = handshaker;
        this.request = request;
        this.listener = listener;
    }

    /**
     * Begins.
     *
     * @param longestMessage that may come, in bytes
     */
    static void begin(
            DuplexChannel channel,
            URI target,
            SocketCall.Connect call,
            int longestMessage,
            Listener listener) {
        PreparedRequest request = call.request();
        HttpHeaders headers = new DefaultHttpHeaders();
        request.headers().forEach(headers::add);
        String scheme = request.scheme().equals("https") ? "wss" : "ws";
        WebSocketClientHandshaker handshaker =
                WebSocketClientHandshakerFactory.newHandshaker(
                        URI.create(scheme + "://" + target.getRawAuthority() + request.path()),
                        WebSocketVersion.V13,
                        call.subprotocols().isEmpty()
                                ? null
                                : String.join(",", call.subprotocols()),
                        false,
                        headers,
                        longestMessage);
        channel.pipeline()
                .addLast(new HttpClientCodec(), new HttpObjectAggregator(LONGEST_RESPONSE))
                .addLast(new Handshake(handshaker, request, listener));
        handshaker.handshake(channel);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (!over && message instanceof FullHttpResponse response) {
                handshaker.finishHandshake(context.channel(), response);
                over = true;
                request.switched(response.status().code(), head(response));
                listener.agreed(context);
                context.pipeline().remove(this);
            }
        } catch (WebSocketClientHandshakeException e) {
            int status = e.response() == null ? 0 : e.response().status().code();
            refused(
                    status == 0 || status == 101
                            ? new Outcome.MalformedResponse(String.valueOf(e.getMessage()))
                            : new Outcome.HttpFailure(status));
        } catch (WebSocketHandshakeException e) {
            refused(new Outcome.MalformedResponse(String.valueOf(e.getMessage())));
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private static byte[] head(FullHttpResponse response) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> header : response.headers()) {
            lines.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refused(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        refused(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
    }

    private void refused(Outcome outcome) {
        if (!over) {
            over = true;
            listener.refused(outcome);
        }
    }
}
