package io.phaseload.http.response;

import static io.phaseload.http.response.ParserInput.AFTER;
import static io.phaseload.http.response.ParserInput.CHUNKED;
import static io.phaseload.http.response.ParserInput.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a body ends, and what is kept of it. */
class ResponseParserBodyTest {

    private final ParserInput input = new ParserInput();
    private final ResponseParser parser = input.parser();

    /** What lies behind a body that nobody looks at is found, whether its bytes are seen or not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nalive",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nal\r\n3\r\nive\r\n0\r\n\r\n",
            })
    void skipsBodiesThatNobodyChecks(String response) throws Exception {
        ResponseParser parser = new ResponseParser();
        parser.begin(false, false);
        byte[] bytes = (response + AFTER).getBytes(StandardCharsets.ISO_8859_1);
        int at = 0;
        int skipped = 0;
        while (!parser.done()) {
            at = parser.parse(bytes, at, at + 1);
            int some = parser.skip(bytes.length - at);
            skipped += some;
            at += some;
        }

        assertThat(at).isEqualTo(response.length());
        assertThat(skipped).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "'\t 7 \t', 7",
        "0000000000000000007, 7",
        "9223372036854775807, 9223372036854775807",
    })
    void readsContentLength(String length, long expected) throws Exception {
        input.read(OK + "Content-Length: " + length + "\r\n\r\n");
        long skipped = 0;
        for (int some = parser.skip(1_000); some > 0 && skipped < 10_000; ) {
            skipped += some;
            some = parser.skip(1_000);
        }

        assertThat(skipped).isEqualTo(Math.min(expected, 10_000));
        assertThat(parser.done()).isEqualTo(expected < 10_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+5",
                "5 5",
                "5/",
                "5:",
                "0x5",
                "9223372036854775808",
                "00000000000000000007",
                "5\r\nContent-Length: 5",
                "5\r\n 5",
            })
    void rejectsInvalidContentLength(String length) {
        input.rejects(OK + "Content-Length: " + length + "\r\n\r\n", "Invalid Content-Length: ");
    }

    @Test
    void quotesTheInvalidLength() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> input.read(OK + "Connection: keep-alive\r\n" + "Content-Length: \t +5 \r\n\r\n"))
                .withMessage("Invalid Content-Length: +5");
    }

    @ParameterizedTest
    @CsvSource({
        "0a, 10",
        "A, 10",
        "a;name=value, 10",
        "'a \t;x', 10",
        "'a\t ', 10",
        "3ffffffffffffffF, 4611686018427387903",
    })
    void readsChunkSizes(String size, long expected) throws Exception {
        input.read(CHUNKED + size + "\r\n");

        assertThat(parser.skip(10_000)).isEqualTo((int) Math.min(expected, 10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ";x", "g", "1 0", "4000000000000000", "10000000000000000"})
    void rejectsInvalidChunkSizes(String size) {
        input.rejects(CHUNKED + size + "\r\n", "Bad chunk header: ");
    }

    @Test
    void allTrailersButTheFirstMayBeFolded() throws Exception {
        input.read(CHUNKED + "0\r\nA: b\r\n c\r\n\tno colon\r\n\r\n");
        assertThat(parser.done()).isTrue();

        input.rejects(CHUNKED + "0\r\n A: b\r\n", "Invalid header:  A: b");
        input.rejects(OK + " A: b\r\n", "Invalid header:  A: b");
        input.rejects(OK + "\tA: b\r\n", "Invalid header: \\x09A: b");
    }

    @Test
    void responsesToHeadHaveNoBody() throws Exception {
        parser.begin(true, false);
        assertThat(input.parse(OK + "Content-Length: 5\r\n\r\n" + AFTER)).isEqualTo(38);
        assertThat(parser.done()).isTrue();
        parser.begin(true, false);
        input.parse("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertThat(parser.done()).isTrue();
    }

    /** Only a body that lasts until then ends with the stream. */
    @Test
    void theEndOfTheStreamEndsABodyWithoutALength() throws Exception {
        assertThat(parser.done()).isTrue();
        for (String part : new String[] {"", "HTTP", OK, OK + "Content-Length: 5\r\n\r\nfour", CHUNKED}) {
            input.read(part);
            assertThat(parser.endOfStream()).isFalse();
            assertThat(parser.done()).isFalse();
        }
        assertThat(input.read(OK + "\r\nsome" + AFTER)).isEqualTo(OK.length() + 6 + AFTER.length());
        assertThat(parser.done()).isFalse();
        assertThat(parser.skip(1_000)).isEqualTo(1_000);
        assertThat(parser.endOfStream()).isTrue();
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isFalse();

        input.read(OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.keepsConnection()).isTrue();
    }

    @Test
    void skipsOnlyBodies() throws Exception {
        input.read("HTTP/1.1 20");
        assertThat(parser.skip(100)).isZero();
        input.read(CHUNKED);
        assertThat(parser.skip(100)).isZero();
        input.parse("5\r\n");
        assertThat(parser.skip(3)).isEqualTo(3);
        assertThat(parser.skip(100)).isEqualTo(2);
        assertThat(parser.skip(100)).isZero();
        input.parse("\r\n0\r\n\r\n");
        assertThat(parser.skip(100)).isZero();
    }

    /** A check sees the first MiB. */
    @Test
    void keepsTheFirstMiBOfACheckedBody() throws Exception {
        int length = (1 << 20) + 10;
        parser.begin(false, true);
        input.parse(OK + "Content-Length: " + length + "\r\n\r\n");
        assertThat(parser.skip(100)).isZero();

        input.parse("a".repeat((1 << 20) - 1));
        assertThat(parser.skip(100)).isZero();
        input.parse("bcd");

        assertThat(parser.body().size()).isEqualTo(1 << 20);
        assertThat(parser.body().toString()).endsWith("ab");
        assertThat(parser.skip(100)).isEqualTo(8);
        assertThat(parser.done()).isTrue();
        input.read(OK + "Content-Length: 1\r\n\r\nx");
        assertThat(parser.body()).isNull();
    }

    /** A failure quotes the beginning of its body, in chunks or not. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 300\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n12c\r\n"})
    void keepsTheStartOfAFailedResponse(String framing) throws Exception {
        input.read("HTTP/1.1 400 Bad\r\n" + framing + "x".repeat(150));
        assertThat(parser.skip(100)).isZero();
        input.parse("y".repeat(150));

        assertThat(parser.body()).hasToString("x".repeat(150) + "y".repeat(50));
        input.read("HTTP/1.1 399 Odd\r\n" + framing + "x");
        assertThat(parser.body()).isNull();
        parser.begin(false, true);
        input.parse("HTTP/1.1 400 Bad\r\n" + framing + "x".repeat(300));
        assertThat(parser.body().size()).isEqualTo(300);
    }
}
