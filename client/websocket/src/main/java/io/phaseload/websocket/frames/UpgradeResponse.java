package io.phaseload.websocket.frames;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.events.connection.ReceiveBuffers;
import io.phaseload.measure.Outcome;

/** The server's answer to a connection that asks to become a WebSocket. Owned by one loop. */
public final class UpgradeResponse extends ChannelInboundHandlerAdapter {

    private static final int LONGEST_RESPONSE = 64 << 10;

    /** Is told of the answer, once, in the loop's thread. */
    public interface Listener {

        /** The server has answered, whatever it says. Comes before what it means. */
        default void answered(FullHttpResponse response) {
            // For those who show it.
        }

        /**
         * The server has agreed; frames come next.
         *
         * @param context of the connection, to whose pipeline what reads them is to be added
         */
        void agreed(ChannelHandlerContext context, FullHttpResponse response);

        /** The server hasn't agreed, or the connection has ended before. */
        void refused(Outcome outcome);
    }

    private final WebSocketClientHandshaker handshaker;
    private final Listener listener;
    private boolean over;

    private UpgradeResponse(WebSocketClientHandshaker handshaker, Listener listener) {
        this.handshaker = handshaker;
        this.listener = listener;
    }

    /**
     * Asks a connection's server, and waits for the answer.
     *
     * @param channel a connection over which nothing was sent
     * @param handshaker has the request
     * @param extensions handlers that agree with the server on extensions
     */
    public static void ask(
            DuplexChannel channel,
            WebSocketClientHandshaker handshaker,
            Listener listener,
            ChannelHandler... extensions) {
        prepare(channel);
        channel.pipeline()
                .addLast(new HttpClientCodec(), new HttpObjectAggregator(LONGEST_RESPONSE))
                .addLast(extensions)
                .addLast(new UpgradeResponse(handshaker, listener));
        handshaker.handshake(channel);
    }

    /**
     * Gives a connection buffers that Netty's codecs may keep, and an end of its own accord.
     *
     * @param channel a connection over which nothing was sent
     */
    public static void prepare(DuplexChannel channel) {
        // The loop's own buffers are for those who copy what they read.
        channel.config().setRecvByteBufAllocator(ReceiveBuffers.ofItsOwn());
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        channel.config().setAutoClose(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (!over && message instanceof FullHttpResponse response) {
                read(context, response);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ChannelHandlerContext context, FullHttpResponse response) {
        if (response.decoderResult().isFailure()) {
            refused(new Outcome.MalformedResponse("not a response of HTTP"));
            return;
        }
        listener.answered(response);
        try {
            handshaker.finishHandshake(context.channel(), response);
        } catch (WebSocketClientHandshakeException e) {
            int status = e.response() == null ? 0 : e.response().status().code();
            refused(
                    status == 0 || status == 101
                            ? new Outcome.MalformedResponse(String.valueOf(e.getMessage()))
                            : new Outcome.HttpFailure(status));
            return;
        } catch (WebSocketHandshakeException e) {
            refused(new Outcome.MalformedResponse(String.valueOf(e.getMessage())));
            return;
        }
        over = true;
        listener.agreed(context, response);
        context.pipeline().remove(this);
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
