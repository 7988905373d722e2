package io.phaseload.websocket.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.phaseload.http.limit.ProgressBudget;
import org.junit.jupiter.api.Test;

/** The frames that count as progress. */
class FrameBudgetTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameBudget());

    /** As servers end a message whose length they don't know in advance. */
    @Test
    void theEmptyEndOfAMessageIsProgress() {
        for (int i = 0; i <= ProgressBudget.PIECES; i++) {
            read(new TextWebSocketFrame(false, 0, Unpooled.copiedBuffer(new byte[] {'x'})));
            read(new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER));
        }
        assertThat(channel.isOpen()).isTrue();
    }

    /** Also between fragments with content. */
    @Test
    void emptyMessagesAndFragmentsEndTheConnection() {
        read(new TextWebSocketFrame(false, 0, Unpooled.copiedBuffer(new byte[] {'x'})));
        assertThatExceptionOfType(CorruptedWebSocketFrameException.class).isThrownBy(() -> {
            for (int i = 0; i <= ProgressBudget.PIECES; i++) {
                read(new ContinuationWebSocketFrame(false, 0, Unpooled.EMPTY_BUFFER));
            }
        });
        assertThat(channel.<WebSocketFrame>readOutbound()).isInstanceOf(CloseWebSocketFrame.class);
        assertThat(channel.isOpen()).isFalse();

        EmbeddedChannel empty = new EmbeddedChannel(new FrameBudget());
        assertThatExceptionOfType(CorruptedWebSocketFrameException.class).isThrownBy(() -> {
            for (int i = 0; i <= ProgressBudget.PIECES; i++) {
                empty.writeInbound(new TextWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER));
                empty.releaseInbound();
            }
        });
    }

    private void read(WebSocketFrame frame) {
        channel.writeInbound(frame);
        channel.releaseInbound();
    }
}
