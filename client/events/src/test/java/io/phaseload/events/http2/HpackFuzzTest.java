package io.phaseload.events.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.phaseload.http.response.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever header blocks come one after another: readers with and without texts find the same, and Netty's decoder the
 * same texts.
 */
class HpackFuzzTest {

    private static final List<byte[]> CORPUS = Fuzz.hex(
            "88 5c0131 0f0d023130",
            "48 03323030 58 07707269 76617465 c0 bf be",
            "3fe11f 88 4001 61 83 f1e3c2 be",
            "20 88 400a637573746f6d2d6b65790d637573746f6d2d686561646572 be be",
            "10 08 70617373 776f7264 06736563726574 88",
            "8b 84 8c f1e3c2e5f23a6ba0ab90f4ff 7f00 00 7f8101 61",
            "48 82 6402 58 85 aec3771a4b 61 96 d07abe941054d444a8200595040b8166e082a62d1bff");

    private static final List<String> WORDS = List.of(
            "\u0088", "\u00be", "\u00bf", "\77\u00e1\37", "\40", "\100\1a\1b", "\177\u00ff\u00ff", "\u00ff", "\0\0\0");

    private static final int EVERYTHING = 1 << 24;

    @Test
    void allReadersFindTheSame() {
        assertThat(Fuzz.run(CORPUS, WORDS, HpackFuzzTest::check)).isPositive();
    }

    private static void check(byte[] input, Random random) {
        HeaderBlockReader texts = new HeaderBlockReader(true);
        HeaderBlockReader plain = new HeaderBlockReader(false);
        DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, EVERYTHING);
        int at = 0;
        // Blocks of a connection, of which the last one is broken or the input's end.
        String found = "";
        while (at < input.length && !found.startsWith("error")) {
            byte[] block = Arrays.copyOfRange(input, at, at + 1 + random.nextInt(input.length - at));
            ResponseHead head = new ResponseHead();
            found = read(texts, block, head);
            assertThat(read(plain, block, new ResponseHead())).isEqualTo(found);
            if (!found.startsWith("error")) {
                compare(head, netty, block);
            }
            at += block.length;
        }
    }

    private static String read(HeaderBlockReader reader, byte[] block, ResponseHead head) {
        try {
            reader.read(block, block.length, head);
            return "%d %d %s".formatted(head.status(), head.contentLength(), head.wrong());
        } catch (Http2Exception e) {
            return "error " + e.error() + " " + e.getMessage();
        }
    }

    private static void compare(ResponseHead head, DefaultHttp2HeadersDecoder netty, byte[] block) {
        StringBuilder lines = new StringBuilder();
        try {
            Http2Headers headers = netty.decodeHeaders(1, Unpooled.wrappedBuffer(block));
            headers.forEach(field -> {
                if (!field.getKey().toString().startsWith(":")) {
                    lines.append(field.getKey())
                            .append(':')
                            .append(field.getValue())
                            .append('\n');
                }
            });
        } catch (io.netty.handler.codec.http2.Http2Exception e) {
            throw new AssertionError("only Netty finds an error", e);
        }
        assertThat(sorted(new String(head.lines(), StandardCharsets.ISO_8859_1)))
                .isEqualTo(sorted(lines.toString()));
    }

    /** Netty has fields of one name together. */
    private static List<String> sorted(String lines) {
        return lines.lines().sorted().toList();
    }
}
