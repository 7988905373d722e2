package io.phaseload.websocket.frames;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.http.limit.ProgressBudget;

/**
 * Ends a connection whose server sends only pings, pongs, empty fragments and empty messages. The end of a message with
 * any content is progress, unless the server doesn't read what answers its pings.
 */
final class FrameBudget extends ChannelInboundHandlerAdapter {

    /** The status of the close frame that ends such a connection. */
    static final WebSocketCloseStatus STATUS = WebSocketCloseStatus.POLICY_VIOLATION;

    private final ProgressBudget budget = new ProgressBudget();
    // Whether a fragment of the present message had content.
    private boolean content;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof WebSocketFrame frame && spends(context, frame)) {
            ReferenceCountUtil.release(frame);
            context.writeAndFlush(new CloseWebSocketFrame(STATUS)).addListener(ChannelFutureListener.CLOSE);
            context.fireExceptionCaught(new CorruptedWebSocketFrameException(STATUS, ProgressBudget.reason("frames")));
        } else {
            context.fireChannelRead(message);
        }
    }

    private boolean spends(ChannelHandlerContext context, WebSocketFrame frame) {
        if (FrameReaders.isControl(frame)) {
            return budget.exceeded();
        }
        boolean empty = !frame.content().isReadable();
        content |= !empty;
        if (!frame.isFinalFragment()) {
            return empty && budget.exceeded();
        }
        boolean progress = content && context.channel().isWritable();
        content = false;
        if (progress) {
            budget.progress();
        }
        return !progress && empty && budget.exceeded();
    }
}
