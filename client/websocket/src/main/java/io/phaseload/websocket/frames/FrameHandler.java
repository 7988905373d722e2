package io.phaseload.websocket.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/** Reads what the server sends over one connection. Owned by one loop. */
public final class FrameHandler extends ChannelInboundHandlerAdapter {

    /** Receives what comes over a connection, in the loop's thread. */
    public interface Listener {

        /** Whether the connection is still in use; nothing else is called after that. */
        boolean isInUse();

        void received(ByteBuf message, boolean isText);

        void ponged(ByteBuf content);

        /** The server begins to close; its frame isn't answered yet. */
        void closed(CloseWebSocketFrame frame);

        /** The connection has ended, or can't be read any further. */
        void ended(String why);

        /** More can be sent again. */
        default void writable() {
            // For those who don't wait for the end of a write.
        }
    }

    private final Listener listener;
    private final String tooLong;

    /**
     * Reads for a listener.
     *
     * @param tooLong the reason for the end if a message is too long
     */
    public FrameHandler(Listener listener, String tooLong) {
        this.listener = listener;
        this.tooLong = tooLong;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        try {
            if (listener.isInUse()) {
                read(context, frame);
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    private void read(ChannelHandlerContext context, Object frame) {
        if (frame instanceof TextWebSocketFrame text) {
            listener.received(text.content(), true);
        } else if (frame instanceof BinaryWebSocketFrame binary) {
            listener.received(binary.content(), false);
        } else if (frame instanceof PingWebSocketFrame ping) {
            context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()), context.voidPromise());
        } else if (frame instanceof PongWebSocketFrame pong) {
            listener.ponged(pong.content());
        } else if (frame instanceof CloseWebSocketFrame close) {
            listener.closed(close);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (listener.isInUse() && context.channel().isWritable()) {
            listener.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ended(FrameReaders.why(cause, tooLong));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended(FrameReaders.ABNORMAL);
    }

    private void ended(String why) {
        if (listener.isInUse()) {
            listener.ended(why);
        }
    }
}
