package io.phaseload.websocket.steps;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.websocket.frames.FrameReaders;

/** Reads what the server sends over one connection. Owned by one loop. */
final class Frames extends ChannelInboundHandlerAdapter {

    private final LoopSocket socket;
    private final DuplexChannel channel;

    Frames(LoopSocket socket, DuplexChannel channel) {
        this.socket = socket;
        this.channel = channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        try {
            if (frame instanceof TextWebSocketFrame text) {
                socket.received(channel, text.content(), true);
            } else if (frame instanceof BinaryWebSocketFrame binary) {
                socket.received(channel, binary.content(), false);
            } else if (frame instanceof PingWebSocketFrame ping) {
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()), context.voidPromise());
            } else if (frame instanceof PongWebSocketFrame pong) {
                socket.ponged(channel, pong.content());
            } else if (frame instanceof CloseWebSocketFrame close) {
                socket.closed(channel, close);
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        socket.ended(channel, FrameReaders.why(cause, "message longer than 1 MiB"));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        socket.ended(channel, FrameReaders.ABNORMAL);
    }
}
