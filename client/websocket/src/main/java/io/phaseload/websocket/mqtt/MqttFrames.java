package io.phaseload.websocket.mqtt;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.websocket.frames.FrameReaders;

/** Carries the bytes of MQTT in binary messages of a WebSocket; packets may begin and end anywhere in these. */
public final class MqttFrames extends ChannelDuplexHandler {

    /** The event of a close frame. */
    record Closed(String why) {}

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (frame instanceof BinaryWebSocketFrame binary) {
            context.fireChannelRead(binary.content());
            return;
        }
        try {
            if (frame instanceof PingWebSocketFrame ping) {
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()), context.voidPromise());
            } else if (frame instanceof CloseWebSocketFrame close) {
                context.writeAndFlush(close.retain(), context.voidPromise());
                context.fireUserEventTriggered(new Closed(FrameReaders.closed(close)));
            } else if (frame instanceof TextWebSocketFrame) {
                context.fireExceptionCaught(
                        new CorruptedWebSocketFrameException(WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "text"));
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        context.write(message instanceof ByteBuf bytes ? new BinaryWebSocketFrame(bytes) : message, promise);
    }
}
