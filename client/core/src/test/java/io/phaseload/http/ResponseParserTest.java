package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that come in pieces of every size: each is the same response. */
class ResponseParserTest {

    private static final String AFTER = "HTTP/1.1 500";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nalive",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n  5\r\nconnection: Upgrade , Keep-Alive\r\n\r\nalive",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;a=b\nal\n3\r\nive\r\n0\r\nX: y\r\n\r\n",
                "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200\r\nContent-Length: 5\r\n\r\nalive",
            })
    void isReadTheSameInAnyPieces(String response) throws Exception {
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
    void refusesControlCharactersInAnyPieces(String line) {
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
    void mayEndTheConnection(String response) throws Exception {
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
    void passesOverABody(String response) throws Exception {
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
}
