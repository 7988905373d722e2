package io.phaseload.websocket.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.phaseload.http.limit.ProgressBudget;
import javax.net.ssl.SSLException;

/** Makes whole messages of frames on a connection that has become a WebSocket. */
public final class FrameReaders {

    /** RFC 6455 §7.1.5: ended without a close frame. */
    public static final String ABNORMAL = "closed 1006";

    private static final int NO_CODE = -1;

    /** RFC 6455 §7.1.5: ended with a close frame without a code. */
    private static final int NO_STATUS = 1005;

    private FrameReaders() {}

    /**
     * The handlers of one connection. They refuse reserved bits, text that isn't UTF-8, what is too long, and frames
     * without end, by an exception in its pipeline.
     *
     * @param longestMessage in bytes
     * @return new ones, in their order
     */
    public static ChannelHandler[] upTo(int longestMessage) {
        return new ChannelHandler[] {
            new ReservedBits(),
            new FrameBudget(),
            new Utf8FrameValidator(),
            new WebSocketFrameAggregator(longestMessage)
        };
    }

    /** A frame with a whole message. */
    public static WebSocketFrame message(ByteBuf content, boolean isText) {
        return isText ? new TextWebSocketFrame(content) : new BinaryWebSocketFrame(content);
    }

    /** Whether a frame belongs to no message. */
    static boolean isControl(WebSocketFrame frame) {
        return frame instanceof PingWebSocketFrame
                || frame instanceof PongWebSocketFrame
                || frame instanceof CloseWebSocketFrame;
    }

    /** The code of a close frame, or 1005. */
    public static int code(CloseWebSocketFrame frame) {
        return frame.statusCode() == NO_CODE ? NO_STATUS : frame.statusCode();
    }

    /** Why a connection ended with a close frame. */
    public static String closed(CloseWebSocketFrame frame) {
        return "closed " + code(frame);
    }

    /**
     * Why a connection ended.
     *
     * @param cause the exception in its pipeline
     * @return that, or that there were too many frames, or {@code protocol error}, or {@code closed 1006}
     */
    public static String why(Throwable cause, String tooLong) {
        if (cause instanceof TooLongFrameException
                || cause instanceof CorruptedWebSocketFrameException frame
                        && frame.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG)) {
            return tooLong;
        }
        if (cause instanceof CorruptedWebSocketFrameException frame
                && frame.closeStatus().equals(FrameBudget.STATUS)) {
            return ProgressBudget.reason("frames");
        }
        boolean broken = cause instanceof CodecException && !(cause.getCause() instanceof SSLException);
        return broken ? "protocol error" : ABNORMAL;
    }
}
