package io.phaseload.events.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.http.response.Fuzz;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever frames and header blocks come, in whatever pieces: the same calls, or the same error. */
class FrameFuzzTest {

    private static final List<byte[]> CORPUS = Fuzz.hex(
            "000000 04 00 00000000 000001 01 05 00000001 88",
            "000006 04 00 00000000 00047fffffff 000004 01 0c 00000001 02 88 0000" + "000004 00 09 00000001 01 61 62 00",
            "000000 04 00 00000000 000003 01 00 00000001 885c01" + "000001 09 04 00000001 31 000001 00 01 00000001 61",
            "000000 04 00 00000000 000008 06 00 00000000 0011223344556677000004 08"
                    + " 00 00000000 00010000 000004 03 00 00000001 00000008",
            "000000 04 00 00000000 000012 01 04 00000001" + "3fe11f 88 4001 61 83 f1e3c2 be 0f0d023130 c0 be",
            "000000 04 00 00000000 000008 07 00 00000000 7fffffff00000000"
                    + "000005 02 00 00000001 0000000010 000000 77 00 00000003");

    private static final List<String> WORDS =
            List.of("\0\0\0", "\u00ff", "\0\0\1\0\0\0\0\0\1", "\u0088", "\177\u00ff\u00ff", "\u00be", "\100");

    @Test
    void anyPiecesAreTheSameCalls() {
        assertThat(Fuzz.run(CORPUS, WORDS, FrameFuzzTest::check)).isPositive();
    }

    private static void check(byte[] input, Random random) {
        boolean texts = random.nextBoolean();
        String whole = calls(input, texts, input.length, random);
        assertThat(calls(input, texts, 1, random)).isEqualTo(whole);
        assertThat(calls(input, texts, 0, random)).isEqualTo(whole);
    }

    private static String calls(byte[] input, boolean texts, int piece, Random random) {
        Calls calls = new Calls();
        FrameReader reader = new FrameReader(calls, texts);
        int at = 0;
        try {
            while (at < input.length) {
                int length = piece > 0 ? piece : 1 + random.nextInt(9);
                int to = Math.min(input.length, at + length);
                ByteBuf bytes = Unpooled.wrappedBuffer(input, at, to - at);
                reader.read(bytes);
                at = to;
            }
        } catch (Http2Exception e) {
            calls.add(e.error() + " " + e.getMessage());
        } finally {
            reader.stop();
        }
        return calls.toString();
    }

    /** Writes down calls; pieces of a body are added up. */
    private static final class Calls implements FrameReader.Listener {

        private final ProgressBudget budget = new ProgressBudget();
        private final StringBuilder text = new StringBuilder();
        private int body;
        private int taken;

        void add(String call) {
            if (body + taken > 0) {
                text.append("body ").append(body).append('/').append(taken).append('\n');
            }
            body = 0;
            taken = 0;
            text.append(call).append('\n');
        }

        @Override
        public ProgressBudget budget() {
            return budget;
        }

        @Override
        public void head(int stream, ResponseHead head, boolean last) {
            add("head %d %d %d %s %b %d"
                    .formatted(stream, head.status(), head.contentLength(), head.wrong(), last, head.lines().length));
        }

        @Override
        public void data(int stream, ByteBuf bytes, int length, int took, boolean last) {
            body += length;
            taken += took;
            if (last) {
                add("end of " + stream);
            }
        }

        @Override
        public void overhead(int stream, int bytes) {
            add("overhead %d %d".formatted(stream, bytes));
        }

        @Override
        public void reset(int stream, long code) {
            add("reset %d %d".formatted(stream, code));
        }

        @Override
        public void setting(int key, long value) {
            add("setting %d %d".formatted(key, value));
        }

        @Override
        public void settingsEnd() {
            add("settings");
        }

        @Override
        public void ping(long content) {
            add("ping " + content);
        }

        @Override
        public void goAway(int lastStream, long code) {
            add("goaway %d %d".formatted(lastStream, code));
        }

        @Override
        public void window(int stream, int more) {
            add("window %d %d".formatted(stream, more));
        }

        @Override
        public String toString() {
            add("");
            return text.toString();
        }
    }
}
