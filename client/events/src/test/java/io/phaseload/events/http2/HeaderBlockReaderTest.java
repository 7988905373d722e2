package io.phaseload.events.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header blocks as another implementation writes them, and broken ones. */
class HeaderBlockReaderTest {

    private static final List<String> STATUSES = List.of("200", "204", "404", "418", "503");

    /**
     * Many blocks of one connection, so that fields are referred to that came before, and others had to make room for
     * them. The seed is fixed.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, Integer.MAX_VALUE})
    void readsTheOutputOfAnotherImplementation(int plainUpTo) throws Exception {
        Random random = new Random(7);
        DefaultHttp2HeadersEncoder encoder =
                new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false, 64, plainUpTo);
        HeaderBlockReader reader = new HeaderBlockReader(false);
        ResponseHead head = new ResponseHead();
        HeaderBlockReader keeping = new HeaderBlockReader(true);
        ResponseHead kept = new ResponseHead();
        for (int block = 0; block < 2_000; block++) {
            Http2Headers headers = new DefaultHttp2Headers(false);
            String status = STATUSES.get(random.nextInt(STATUSES.size()));
            int length = random.nextInt(1 << random.nextInt(24));
            InstanceState state = InstanceState.values()[random.nextInt(3)];
            headers.status(status);
            for (int i = random.nextInt(8); i > 0; i--) {
                headers.add("x-" + random.nextInt(30), text(random));
            }
            headers.setInt("content-length", length);
            headers.set("phaseload-start", state.name() + ";" + text(random));
            int seconds = random.nextInt(100);
            headers.set("retry-after", block % 2 == 0 ? Integer.toString(seconds) : "a date");
            headers.set("date", text(random));
            headers.set("server", "the same again, each time that it has been forgotten");

            byte[] bytes = read(reader, encoder, headers, head);

            assertThat(head.lines()).isEmpty();
            keeping.read(bytes, bytes.length, kept);
            assertThat(kept.lines()).isEqualTo(lines(headers));
            assertThat(kept.status()).isEqualTo(head.status());
            assertThat(head.wrong()).isNull();
            assertThat(head.status()).isEqualTo(Integer.parseInt(status));
            assertThat(head.contentLength()).isEqualTo(length);
            assertThat(head.instance()).isEqualTo(state);
            assertThat(head.retryAfter()).isEqualTo(block % 2 == 0 ? seconds : -1);
        }
    }

    private static byte[] read(
            HeaderBlockReader reader, DefaultHttp2HeadersEncoder encoder, Http2Headers headers, ResponseHead head)
            throws Exception {
        ByteBuf buffer = Unpooled.buffer();
        encoder.encodeHeaders(3, headers, buffer);
        byte[] bytes = ByteBufUtil.getBytes(buffer);
        reader.read(bytes, bytes.length, head);
        return bytes;
    }

    private static byte[] lines(Http2Headers headers) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            if (field.getKey().charAt(0) != ':') {
                lines.append(field.getKey())
                        .append(':')
                        .append(field.getValue())
                        .append('\n');
            }
        }
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Of every byte that a header may have, so that every code is met. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(1 << random.nextInt(9)); i > 0; i--) {
            text.append((char) random.nextInt(256));
        }
        return text.toString().replaceAll("[\0\r\n]", "").strip();
    }

    /** Each value that none may have, as it is and in Huffman's code, kept or not. */
    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "a\rb", "a\nb", " a", "a ", "\ta", "a\t"})
    void anInvalidValueIsNamed(String value) throws Exception {
        for (int plainUpTo : List.of(0, Integer.MAX_VALUE)) {
            for (Http2Headers headers : List.of(
                    new DefaultHttp2Headers(false).status("200").set("server", value),
                    new DefaultHttp2Headers(false).status("200").set("x-a", value))) {
                DefaultHttp2HeadersEncoder encoder =
                        new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false, 64, plainUpTo);
                HeaderBlockReader reader = new HeaderBlockReader(false);
                ResponseHead head = new ResponseHead();
                // The second time it is referred to by its number.
                for (int i = 0; i < 2; i++) {
                    read(reader, encoder, headers, head);
                    assertThat(head.wrong()).isEqualTo("an invalid header value");
                }
                read(reader, encoder, new DefaultHttp2Headers(false).status("200"), head);
                assertThat(head.wrong()).isNull();
            }
        }
    }

    /** A value that is the same as before isn't looked at again; one of the same length is. */
    @Test
    void aValueIsDecodedOnlyWhenItChanges() throws Exception {
        HeaderBlockReader reader = new HeaderBlockReader(false);
        ResponseHead head = new ResponseHead();
        for (String value : List.of("ab", "ab", "\0b", "ab", "a")) {
            byte[] block = literals(":status 200", "x " + value);

            reader.read(block, block.length, head);

            assertThat(head.wrong()).isEqualTo(value.equals("\0b") ? "an invalid header value" : null);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "00, a truncated header block",
        "0084, a truncated header block",
        "5f, a truncated header block",
        "80, no header field has number 0",
        "be, no header field has number 62",
        "ffffffffffff, an integer that is too long",
        "883fe1ff03, a change of the table among headers",
        "3fe2ff03, a table of 65537 bytes",
        // The end of a text, then padding with a 0, then a byte of padding.
        "5c84ffffffff, end of string in a string",
        "5c8100, padding of a string",
        "5c821fff, padding of a string",
        // The same in values that don't matter, kept and not.
        "7684ffffffff, end of string in a string",
        "0f2784ffffffff, end of string in a string",
        "0f278100, padding of a string",
        "0f27821fff, padding of a string",
    })
    void reportsErrorsInABlock(String hex, String reason) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThatExceptionOfType(Http2Exception.class)
                .isThrownBy(() -> new HeaderBlockReader(false).read(bytes, bytes.length, new ResponseHead()))
                .withMessage(reason)
                .extracting(Http2Exception::error)
                .isEqualTo(Http2Error.COMPRESSION_ERROR);
    }

    @ParameterizedTest
    @CsvSource({
        ":status 200, :status 200, an invalid :status",
        "x y, :status 200, an invalid :status",
        ":status 2000, x y, an invalid :status",
        ":status 2x0, x y, an invalid :status",
        ":status 099, x y, an invalid :status",
        ":status 200, :path /, a pseudo-header that isn't a response's",
        ":status 200, Server x, an invalid header name",
        ":status 200, a:b x, an invalid header name",
        ":status 200, a\177 x, an invalid header name",
        ":status 200, connection close, a header that HTTP/2 doesn't have",
        ":status 200, transfer-encoding chunked, a header that HTTP/2 doesn't have",
        ":status 200, content-length -1, Invalid Content-Length",
        "content-length 1, content-length 2, Invalid Content-Length",
    })
    void reportsErrorsInAHead(String first, String second, String reason) throws Exception {
        ResponseHead head = new ResponseHead();
        byte[] bytes = literals(first, second);

        new HeaderBlockReader(false).read(bytes, bytes.length, head);

        assertThat(head.wrong()).isEqualTo(reason);
    }

    @Test
    void tooManyFieldsAreRejected() {
        byte[] bytes = new byte[1_001];
        Arrays.fill(bytes, (byte) 0x90);

        assertThatExceptionOfType(Http2Exception.class)
                .isThrownBy(() -> new HeaderBlockReader(false).read(bytes, bytes.length, new ResponseHead()))
                .withMessage("Maximum header count exceeded");
    }

    private static byte[] literals(String... fields) {
        ByteBuf buffer = Unpooled.buffer();
        for (String field : fields) {
            String[] parts = field.split(" ");
            buffer.writeByte(0);
            for (String part : parts) {
                buffer.writeByte(part.length());
                buffer.writeBytes(part.getBytes(StandardCharsets.US_ASCII));
            }
        }
        return ByteBufUtil.getBytes(buffer);
    }
}
