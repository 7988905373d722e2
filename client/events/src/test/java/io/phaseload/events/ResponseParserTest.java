package io.phaseload.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
            ResponseParser parser = new ResponseParser(ResponseParser.newChunk());
            parser.begin(false, true);
            ByteBuf bytes = Unpooled.copiedBuffer(response + AFTER, StandardCharsets.ISO_8859_1);
            boolean whole = false;
            while (!whole) {
                ByteBuf piece = bytes.readSlice(Math.min(size, bytes.readableBytes()));
                whole = parser.parse(piece);
                bytes.readerIndex(bytes.readerIndex() - piece.readableBytes());
            }

            assertThat(bytes.readableBytes()).isEqualTo(AFTER.length());
            assertThat(parser.status()).isEqualTo(200);
            assertThat(parser.keepsConnection()).isTrue();
            assertThat(parser.body()).hasToString("alive");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n",
            })
    void mayEndTheConnection(String response) throws Exception {
        ResponseParser parser = new ResponseParser(ResponseParser.newChunk());
        parser.begin(false, false);

        assertThat(parser.parse(Unpooled.copiedBuffer(response, StandardCharsets.ISO_8859_1)))
                .isTrue();
        assertThat(parser.keepsConnection()).isFalse();
    }
}
