package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phaseload.measure.InstanceState;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that come in pieces of every size: each is the same response. */
class ResponseParserTest {

    private static final String AFTER = "HTTP/1.1 500";
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";
    private static final int LONGEST_LINE = 64 << 10;

    private final ResponseParser parser = new ResponseParser();

    /** Reads a response that nobody checks, all at once; returns how much of it was read. */
    private int read(String response) throws MalformedException {
        parser.begin(false, false);
        return parse(response);
    }

    private int parse(String text) throws MalformedException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return parser.parse(bytes, 0, bytes.length);
    }

    private void readByteByByte(String response) throws MalformedException {
        parser.begin(false, false);
        byte[] bytes = response.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < bytes.length; ) {
            at = parser.parse(bytes, at, at + 1);
        }
    }

    private void rejects(String response, String reason) {
        assertThatExceptionOfType(MalformedException.class)
                .as(response)
                .isThrownBy(() -> read(response))
                .withMessageContaining(reason);
        assertThatExceptionOfType(MalformedException.class)
                .as(response)
                .isThrownBy(() -> readByteByByte(response))
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nalive",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n  5\r\nconnection: Upgrade , Keep-Alive\r\n\r\nalive",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;a=b\nal\n3\r\nive\r\n0\r\nX: y\r\n\r\n",
                "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200\r\nContent-Length: 5\r\n\r\nalive",
            })
    void readsTheSameInPiecesOfAnySize(String response) throws Exception {
        for (int size = 1; size <= response.length(); size++) {
            ResponseParser parser = new ResponseParser();
            parser.begin(false, true);
            byte[] bytes = (response + AFTER).getBytes(StandardCharsets.ISO_8859_1);
            int at = 0;
            while (!parser.done()) {
                at = parser.parse(bytes, at, Math.min(at + size, bytes.length));
            }

            assertThat(at).isEqualTo(response.length());
            assertThat(parser.status()).isEqualTo(200);
            assertThat(parser.keepsConnection()).isTrue();
            assertThat(parser.body()).hasToString("alive");
        }
    }

    /** A CR is bare if what follows it comes later, too. */
    @ParameterizedTest
    @ValueSource(strings = {"A: b\rc", "A: b\0c", "A: b\r\rc", "\0A: b", "A: b\r"})
    void rejectsControlCharacters(String line) {
        byte[] bytes =
                ("HTTP/1.1 200 OK\r\n" + line + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        for (int size = 1; size <= bytes.length; size++) {
            int each = size;
            ResponseParser parser = new ResponseParser();
            parser.begin(false, false);
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(
                            () -> {
                                for (int at = 0; at < bytes.length; ) {
                                    at = parser.parse(bytes, at, Math.min(at + each, bytes.length));
                                }
                            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            })
    void knowsWhenTheConnectionMustEnd(String response) throws Exception {
        ResponseParser parser = new ResponseParser();
        parser.begin(false, false);
        byte[] bytes = response.getBytes(StandardCharsets.ISO_8859_1);

        assertThat(parser.parse(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isFalse();
    }

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
    @MethodSource("io.phaseload.http.MalformedResponseTest#garbage")
    void rejectsMalformedResponses(String response, String reason) {
        rejects(response, reason);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.phaseload.http.BodyTest#keptResponses")
    void readsEveryResponseToItsEnd(String name, String response) throws Exception {
        assertThat(read(response + AFTER)).isEqualTo(response.length());
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isTrue();
        assertThat(parser.body()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1",
                "HTTP/1.1200",
                "HTTP/1.11 200",
                "HTTP/1.1 20",
                "HTTP/1.1 099",
                "HTTP/1.1 200OK",
                "HTTP/1.1 2 00",
                "HTTP/1.1 20:",
                "HTTP/1.1 20/",
            })
    void rejectsInvalidStatusCodes(String line) {
        rejects(line + "\r\n", "Status line contains invalid status code: " + line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "XTTP/1.1 200",
                "HXTP/1.1 200",
                "HTXP/1.1 200",
                "HTTX/1.1 200",
                "HTTP_1.1 200",
                "HTTP/1_1 200",
                "HTTP/1."
            })
    void rejectsOtherProtocols(String line) {
        rejects(line + "\r\n", "Invalid protocol version: " + line);
        rejects("\r\n" + line + "\r\n", "Invalid protocol version: " + line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/0.9 200", "HTTP/2.0 200", "HTTP/1./ 200", "HTTP/1.: 200"})
    void rejectsUnsupportedVersions(String line) {
        rejects(line + "\r\n", "Unsupported protocol version: " + line);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.0 200, false",
        "HTTP/1.1 200, true",
        "HTTP/1.9 200, true",
        "'HTTP/1.1\t \t200\tOK', true",
        "HTTP/1.1 999 Odd, true",
    })
    void http11KeepsTheConnection(String line, boolean keeps) throws Exception {
        readByteByByte(line + "\r\nContent-Length: 0\r\n\r\n");

        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isEqualTo(keeps);
    }

    @ParameterizedTest
    @CsvSource({
        "Connection: keep-alive, true",
        "'Connection: x , KEEP-ALIVE', true",
        "Proxy-Connection: keep-alive, true",
        "Connection: keep-alives, false",
        "Connectiox: keep-alive, false",
        "Proxy-Connectiox: keep-alive, false",
    })
    void http10KeepsTheConnectionIfToldTo(String header, boolean keeps) throws Exception {
        read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n" + header + "\r\n\r\n");

        assertThat(parser.keepsConnection()).isEqualTo(keeps);
    }

    @ParameterizedTest
    @CsvSource({
        "Connection: close, false",
        "'Connection: keep-alive, close', false",
        "'Connection:\t close \t', false",
        "'Connection: keep-alive,\t close\t ,x', false",
        "'Connection: close\r\nConnection: keep-alive', false",
        "'Connection:\r\n\tclose', false",
        "Proxy-Connection: close, false",
        "Connection: closed, true",
        "Connection: x-close, true",
        "Connection:, true",
        "'Server: x\r\n close', true",
        "'Connection: x\r\nServer: close', true",
    })
    void http11EndsTheConnectionIfToldTo(String headers, boolean keeps) throws Exception {
        read(OK + "Content-Length: 0\r\n" + headers + "\r\n\r\n");

        assertThat(parser.keepsConnection()).isEqualTo(keeps);
    }

    /** More than a header's first 64 bytes, in one line and in folded ones. */
    @Test
    void readsLongHeaders() throws Exception {
        String many = "x, ".repeat(100);

        read(OK + "Content-Length: 0\r\nConnection: " + many + "close\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
        read(
                OK
                        + "Content-Length: 0\r\nConnection: "
                        + many
                        + "\r\n "
                        + many
                        + "\r\n close\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "'\t 7 \t', 7",
        "0000000000000000007, 7",
        "9223372036854775807, 9223372036854775807",
    })
    void readsContentLength(String length, long expected) throws Exception {
        read(OK + "Content-Length: " + length + "\r\n\r\n");
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
        rejects(OK + "Content-Length: " + length + "\r\n\r\n", "Invalid Content-Length: ");
    }

    @Test
    void quotesTheInvalidLength() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(
                        () ->
                                read(
                                        OK
                                                + "Connection: keep-alive\r\n"
                                                + "Content-Length: \t +5 \r\n\r\n"))
                .withMessage("Invalid Content-Length: +5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gzip, chunked", "chunked\r\nTransfer-Encoding: chunked", "chunkedx", ""})
    void rejectsOtherTransferEncodings(String encoding) {
        rejects(
                OK + "Transfer-Encoding: " + encoding + "\r\n\r\n",
                "Unsupported transfer encoding: ");
    }

    /** A header that only looks like one that says something. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Lengtx: 5", "Transfer-Encodinx: gzip", "Content-Type: 5", "X: 5"})
    void ignoresOtherHeaders(String header) throws Exception {
        read(OK + header + "\r\n\r\n");

        assertThat(parser.done()).isFalse();
        assertThat(parser.endOfStream()).isTrue();
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
        read(CHUNKED + size + "\r\n");

        assertThat(parser.skip(10_000)).isEqualTo((int) Math.min(expected, 10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ";x", "g", "1 0", "4000000000000000", "10000000000000000"})
    void rejectsInvalidChunkSizes(String size) {
        rejects(CHUNKED + size + "\r\n", "Bad chunk header: ");
    }

    @Test
    void allTrailersButTheFirstMayBeFolded() throws Exception {
        read(CHUNKED + "0\r\nA: b\r\n c\r\n\tno colon\r\n\r\n");
        assertThat(parser.done()).isTrue();

        rejects(CHUNKED + "0\r\n A: b\r\n", "Invalid header:  A: b");
        rejects(OK + " A: b\r\n", "Invalid header:  A: b");
        rejects(OK + "\tA: b\r\n", "Invalid header: ?A: b");
    }

    @Test
    void limitsHeadersAndTrailersToAThousandEach() throws Exception {
        String headers = "A: b\r\n".repeat(999);

        read(
                "HTTP/1.1 103 Early\r\n"
                        + headers
                        + "\r\n"
                        + OK
                        + headers
                        + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
                        + headers
                        + "C: d\r\n\r\n");
        assertThat(parser.done()).isTrue();

        rejects(OK + headers + "C: d\r\n E\r\n", "Maximum header count exceeded");
        rejects(CHUNKED + "0\r\n" + headers + "C: d\r\nE: f\r\n", "Maximum header count exceeded");
    }

    @Test
    void limitsLinesTo64KiB() throws Exception {
        String line = "A: " + "b".repeat(LONGEST_LINE - 3 - 1);
        String response = OK + line + "\r\nContent-Length: 0\r\n\r\n";

        assertThat(read(response)).isEqualTo(response.length());
        readByteByByte(response);
        assertThat(parser.done()).isTrue();
        parser.begin(false, false);
        assertThat(parse(response.substring(0, 30_000))).isEqualTo(30_000);
        parse(response.substring(30_000));
        assertThat(parser.done()).isTrue();
        rejects(OK + line + "b\r\n", "Maximum line length limit exceeded");
        rejects(OK + line + "bb", "Maximum line length limit exceeded");
    }

    @Test
    void allowsNineLeadingEmptyLines() throws Exception {
        read("\r\n".repeat(9) + OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.done()).isTrue();
        read("\r\n".repeat(9) + OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.done()).isTrue();

        rejects("\r\n".repeat(10), "Maximum empty line limit exceeded");
    }

    @Test
    void responsesToHeadHaveNoBody() throws Exception {
        parser.begin(true, false);
        assertThat(parse(OK + "Content-Length: 5\r\n\r\n" + AFTER)).isEqualTo(38);
        assertThat(parser.done()).isTrue();
        parser.begin(true, false);
        parse("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertThat(parser.done()).isTrue();
    }

    @Test
    void theHeadEndsWithItsEmptyLine() throws Exception {
        parser.begin(false, false);
        for (String part : new String[] {"HTTP/1.1 200 OK\r\n", "Content-Length: 1\r\n", "\r"}) {
            parse(part);
            assertThat(parser.headRead()).isFalse();
        }
        parse("\n");
        assertThat(parser.headRead()).isTrue();
        assertThat(parser.done()).isFalse();
        assertThat(parser.status()).isEqualTo(200);
    }

    /** Only a body that lasts until then ends with the stream. */
    @Test
    void theEndOfTheStreamEndsABodyWithoutALength() throws Exception {
        assertThat(parser.done()).isTrue();
        for (String part :
                new String[] {"", "HTTP", OK, OK + "Content-Length: 5\r\n\r\nfour", CHUNKED}) {
            read(part);
            assertThat(parser.endOfStream()).isFalse();
            assertThat(parser.done()).isFalse();
        }
        assertThat(read(OK + "\r\nsome" + AFTER)).isEqualTo(OK.length() + 6 + AFTER.length());
        assertThat(parser.done()).isFalse();
        assertThat(parser.skip(1_000)).isEqualTo(1_000);
        assertThat(parser.endOfStream()).isTrue();
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isFalse();

        read(OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.keepsConnection()).isTrue();
    }

    @Test
    void skipsOnlyBodies() throws Exception {
        read("HTTP/1.1 20");
        assertThat(parser.skip(100)).isZero();
        read(CHUNKED);
        assertThat(parser.skip(100)).isZero();
        parse("5\r\n");
        assertThat(parser.skip(3)).isEqualTo(3);
        assertThat(parser.skip(100)).isEqualTo(2);
        assertThat(parser.skip(100)).isZero();
        parse("\r\n0\r\n\r\n");
        assertThat(parser.skip(100)).isZero();
    }

    /** A check sees the first MiB. */
    @Test
    void keepsTheFirstMiBOfACheckedBody() throws Exception {
        int length = (1 << 20) + 10;
        parser.begin(false, true);
        parse(OK + "Content-Length: " + length + "\r\n\r\n");
        assertThat(parser.skip(100)).isZero();

        parse("a".repeat((1 << 20) - 1));
        assertThat(parser.skip(100)).isZero();
        parse("bcd");

        assertThat(parser.body().size()).isEqualTo(1 << 20);
        assertThat(parser.body().toString()).endsWith("ab");
        assertThat(parser.skip(100)).isEqualTo(8);
        assertThat(parser.done()).isTrue();
        read(OK + "Content-Length: 1\r\n\r\nx");
        assertThat(parser.body()).isNull();
    }

    /** A failure quotes the beginning of its body, in chunks or not. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length: 300\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n12c\r\n"})
    void keepsTheStartOfAFailedResponse(String framing) throws Exception {
        read("HTTP/1.1 400 Bad\r\n" + framing + "x".repeat(150));
        assertThat(parser.skip(100)).isZero();
        parse("y".repeat(150));

        assertThat(parser.body()).hasToString("x".repeat(150) + "y".repeat(50));
        read("HTTP/1.1 399 Odd\r\n" + framing + "x");
        assertThat(parser.body()).isNull();
        parser.begin(false, true);
        parse("HTTP/1.1 400 Bad\r\n" + framing + "x".repeat(300));
        assertThat(parser.body().size()).isEqualTo(300);
    }

    @Test
    void readsTheInstanceState() throws Exception {
        read(OK + "Phaseload-Start: cold;id=1\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.instance()).isEqualTo(InstanceState.COLD);
        read(OK + "Phaseload-Starx: cold\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.instance()).isNull();
    }

    /** Each response begins with nothing of the one before it, an interim one among them. */
    @Test
    void eachResponseStartsAfresh() throws Exception {
        String good = OK + "Content-Length: 2\r\n\r\nok";

        read("HTTP/1.1 103 Early\r\nConnection: close\r\nContent-Length: x\r\n\r\n" + good);
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isTrue();
        for (String cut : new String[] {"HTT", "HTTP\0", OK + "Content-Length: 9", CHUNKED + "5"}) {
            read(cut);
            assertThat(read(good + AFTER)).isEqualTo(good.length());
            assertThat(parser.keepsConnection()).isTrue();
        }
        read("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
        read(good);
        assertThat(parser.keepsConnection()).isTrue();
    }
}
