package io.phaseload.http.response;

import static io.phaseload.http.response.ParserInput.CHUNKED;
import static io.phaseload.http.response.ParserInput.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Status lines, headers, and the limits of both. */
class ResponseParserHeadTest {

    private static final int LONGEST_LINE = 64 << 10;

    private final ParserInput input = new ParserInput();
    private final ResponseParser parser = input.parser();

    @Test
    void interimResponsesHaveAnEnd() throws Exception {
        input.read("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n".repeat(ProgressBudget.PIECES));

        assertThat(parser.headRead()).isFalse();
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> input.parse("HTTP/1.1 100 Continue\r\n\r\n"))
                .withMessage("more than 100000 interim responses without progress");
    }

    @Test
    void chunksWithMoreHeaderThanDataHaveAnEnd() throws Exception {
        String chunk = "1;an-extension=that-is-long\r\nx\r\n";
        input.read(CHUNKED + chunk.repeat(ProgressBudget.PIECES));

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> input.parse(chunk))
                .withMessage("more than 100000 chunks without progress");
    }

    @ParameterizedTest
    @ValueSource(strings = {OK, CHUNKED + "0\r\n"})
    void aHeaderHasAnEnd(String before) {
        String line = "Set-Cookie: " + "x".repeat(60_000) + "\r\n";

        input.rejects(before + line.repeat(18), "Maximum header length exceeded");
    }

    /** A CR is bare if what follows it comes later, too. */
    @ParameterizedTest
    @ValueSource(strings = {"A: b\rc", "A: b\0c", "A: b\r\rc", "\0A: b", "A: b\r"})
    void rejectsControlCharacters(String line) {
        byte[] bytes = ("HTTP/1.1 200 OK\r\n" + line + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        for (int size = 1; size <= bytes.length; size++) {
            int each = size;
            ResponseParser parser = new ResponseParser();
            parser.begin(false, false);
            assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> {
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
        input.rejects(line + "\r\n", "Status line contains invalid status code: " + line);
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
        input.rejects(line + "\r\n", "Invalid protocol version: " + line);
        input.rejects("\r\n" + line + "\r\n", "Invalid protocol version: " + line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/0.9 200", "HTTP/2.0 200", "HTTP/1./ 200", "HTTP/1.: 200"})
    void rejectsUnsupportedVersions(String line) {
        input.rejects(line + "\r\n", "Unsupported protocol version: " + line);
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
        input.readByteByByte(line + "\r\nContent-Length: 0\r\n\r\n");

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
        input.read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n" + header + "\r\n\r\n");

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
        input.read(OK + "Content-Length: 0\r\n" + headers + "\r\n\r\n");

        assertThat(parser.keepsConnection()).isEqualTo(keeps);
    }

    /** More than a header's first 64 bytes, in one line and in folded ones. */
    @Test
    void readsLongHeaders() throws Exception {
        String many = "x, ".repeat(100);

        input.read(OK + "Content-Length: 0\r\nConnection: " + many + "close\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
        input.read(OK + "Content-Length: 0\r\nConnection: " + many + "\r\n " + many + "\r\n close\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "chunked\r\nTransfer-Encoding: chunked", "chunkedx", ""})
    void rejectsOtherTransferEncodings(String encoding) {
        input.rejects(OK + "Transfer-Encoding: " + encoding + "\r\n\r\n", "Unsupported transfer encoding: ");
    }

    /** A header that only looks like one that says something. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Lengtx: 5", "Transfer-Encodinx: gzip", "Content-Type: 5", "X: 5"})
    void ignoresOtherHeaders(String header) throws Exception {
        input.read(OK + header + "\r\n\r\n");

        assertThat(parser.done()).isFalse();
        assertThat(parser.endOfStream()).isTrue();
    }

    @Test
    void limitsHeadersAndTrailersToAThousandEach() throws Exception {
        String headers = "A: b\r\n".repeat(999);

        input.read("HTTP/1.1 103 Early\r\n"
                + headers
                + "\r\n"
                + OK
                + headers
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
                + headers
                + "C: d\r\n\r\n");
        assertThat(parser.done()).isTrue();

        input.rejects(OK + headers + "C: d\r\n E\r\n", "Maximum header count exceeded");
        input.rejects(CHUNKED + "0\r\n" + headers + "C: d\r\nE: f\r\n", "Maximum header count exceeded");
    }

    @Test
    void limitsLinesTo64KiB() throws Exception {
        String line = "A: " + "b".repeat(LONGEST_LINE - 3 - 1);
        String response = OK + line + "\r\nContent-Length: 0\r\n\r\n";

        assertThat(input.read(response)).isEqualTo(response.length());
        input.readByteByByte(response);
        assertThat(parser.done()).isTrue();
        parser.begin(false, false);
        assertThat(input.parse(response.substring(0, 30_000))).isEqualTo(30_000);
        input.parse(response.substring(30_000));
        assertThat(parser.done()).isTrue();
        input.rejects(OK + line + "b\r\n", "Maximum line length limit exceeded");
        input.rejects(OK + line + "bb", "Maximum line length limit exceeded");
    }

    @Test
    void allowsNineLeadingEmptyLines() throws Exception {
        input.read("\r\n".repeat(9) + OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.done()).isTrue();
        input.read("\r\n".repeat(9) + OK + "Content-Length: 0\r\n\r\n");
        assertThat(parser.done()).isTrue();

        input.rejects("\r\n".repeat(10), "Maximum empty line limit exceeded");
    }

    @Test
    void theHeadEndsWithItsEmptyLine() throws Exception {
        parser.begin(false, false);
        for (String part : new String[] {"HTTP/1.1 200 OK\r\n", "Content-Length: 1\r\n", "\r"}) {
            input.parse(part);
            assertThat(parser.headRead()).isFalse();
        }
        input.parse("\n");
        assertThat(parser.headRead()).isTrue();
        assertThat(parser.done()).isFalse();
        assertThat(parser.status()).isEqualTo(200);
    }

    @Test
    void readsTheInstanceState() throws Exception {
        input.read(OK + "Phaseload-Start: cold;id=1\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.instance()).isEqualTo(InstanceState.COLD);
        input.read(OK + "Phaseload-Starx: cold\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.instance()).isNull();
    }
}
