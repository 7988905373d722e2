package io.phaseload.websocket.frames;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/**
 * Refuses frames with reserved bits that no extension has taken (RFC 6455 §5.2). Netty's decoder lets all of them pass
 * if compression was asked for, whether the server has agreed or not.
 */
final class ReservedBits extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof WebSocketFrame frame && frame.rsv() != 0) {
            ReferenceCountUtil.release(frame);
            WebSocketCloseStatus status = WebSocketCloseStatus.PROTOCOL_ERROR;
            context.writeAndFlush(new CloseWebSocketFrame(status)).addListener(ChannelFutureListener.CLOSE);
            context.fireExceptionCaught(new CorruptedWebSocketFrameException(status, "reserved bits"));
        } else {
            context.fireChannelRead(message);
        }
    }
}
