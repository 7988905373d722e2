package io.phaseload.http.response;

import static io.phaseload.http.response.ParserInput.AFTER;
import static io.phaseload.http.response.ParserInput.CHUNKED;
import static io.phaseload.http.response.ParserInput.OK;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that come in pieces of every size: each is the same response. */
class ResponseParserTest {

    private final ParserInput input = new ParserInput();
    private final ResponseParser parser = input.parser();

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

    @ParameterizedTest
    @MethodSource("io.phaseload.http.MalformedResponseTest#garbage")
    void rejectsMalformedResponses(String response, String reason) {
        input.rejects(response, reason);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.phaseload.http.BodyTest#keptResponses")
    void readsEveryResponseToItsEnd(String name, String response) throws Exception {
        assertThat(input.read(response + AFTER)).isEqualTo(response.length());
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isTrue();
        assertThat(parser.body()).isNull();
    }

    /** Each response begins with nothing of the one before it, an interim one among them. */
    @Test
    void eachResponseStartsAfresh() throws Exception {
        String good = OK + "Content-Length: 2\r\n\r\nok";

        input.read("HTTP/1.1 103 Early\r\nConnection: close\r\nContent-Length: x\r\n\r\n" + good);
        assertThat(parser.done()).isTrue();
        assertThat(parser.keepsConnection()).isTrue();
        for (String cut : new String[] {"HTT", "HTTP\0", OK + "Content-Length: 9", CHUNKED + "5"}) {
            input.read(cut);
            assertThat(input.read(good + AFTER)).isEqualTo(good.length());
            assertThat(parser.keepsConnection()).isTrue();
        }
        input.read("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertThat(parser.keepsConnection()).isFalse();
        input.read(good);
        assertThat(parser.keepsConnection()).isTrue();
    }
}
