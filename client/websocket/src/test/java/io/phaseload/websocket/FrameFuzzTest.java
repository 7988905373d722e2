package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.phaseload.http.response.Fuzz;
import io.phaseload.websocket.frames.FrameReaders;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever frames come, in whatever pieces: the same messages, then the same end. */
class FrameFuzzTest {

    private static final int LONGEST = 1 << 10;

    private static final List<byte[]> CORPUS = Fuzz.hex(
            "81 05 68656c6c6f",
            "01 02 c3a9 89 01 2a 80 03 616263",
            "82 7e 0080" + "00".repeat(128),
            "82 7f 0000000000000400",
            "8a 00 88 02 03e8 81 01 61",
            "88 05 03e8 627965",
            "02 00 00 01 61 80 00",
            "c1 03 ffffff");

    private static final List<String> WORDS = List.of(
            "\u0081\1a",
            "\u0089\0",
            "\u0088\2\3\u00e8",
            "\0\0",
            "\u0080\0",
            "\1\0",
            "\177\u00ff",
            "\176",
            "\u00c3",
            "\u0081\u0081");

    @Test
    void anyPiecesAreTheSameMessages() {
        assertThat(Fuzz.run(CORPUS, WORDS, FrameFuzzTest::check)).isPositive();
    }

    private static void check(byte[] input, Random random) {
        String whole = messages(input, input.length, random);
        assertThat(messages(input, 1, random)).isEqualTo(whole);
        assertThat(messages(input, 0, random)).isEqualTo(whole);
    }

    private static String messages(byte[] input, int piece, Random random) {
        Reader reader = new Reader();
        EmbeddedChannel channel = new EmbeddedChannel(new WebSocket13FrameDecoder(false, false, LONGEST));
        channel.pipeline().addLast(FrameReaders.upTo(LONGEST)).addLast(reader);
        int at = 0;
        while (at < input.length && !reader.over) {
            int to = Math.min(input.length, at + (piece > 0 ? piece : 1 + random.nextInt(9)));
            channel.writeInbound(Unpooled.copiedBuffer(input, at, to - at));
            at = to;
        }
        channel.releaseOutbound();
        channel.close();
        return reader.text.toString();
    }

    /** Writes messages down up to the first error, as the engine's handlers ignore those that were read with it. */
    private static final class Reader extends ChannelInboundHandlerAdapter {

        private final StringBuilder text = new StringBuilder();
        private boolean over;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            WebSocketFrame frame = (WebSocketFrame) message;
            if (!over) {
                assertThat(frame.content().readableBytes()).isLessThanOrEqualTo(LONGEST);
                text.append(frame.getClass().getSimpleName())
                        .append(' ')
                        .append(ByteBufUtil.hexDump(frame.content()))
                        .append('\n');
            }
            frame.release();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!over) {
                over = true;
                text.append(FrameReaders.why(cause, "too long"));
            }
        }
    }
}
