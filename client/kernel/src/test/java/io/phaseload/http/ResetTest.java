package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome.Reset;
import io.phaseload.measure.Outcome.Reset.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that end too soon, with a reset (RST) or in order (FIN). */
@Tag("contract")
class ResetTest {

    private static final String HALF_A_HEADER = "HTTP/1.1 200 OK\r\nContent-Le";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String TEN_BYTES = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";

    @Test
    void resetBeforeAnyByte() throws Exception {
        assertReset("", Peer::reset, Stage.BEFORE_RESPONSE);
    }

    @Test
    void closeBeforeAnyByte() throws Exception {
        assertReset("", Peer::closeInOrder, Stage.BEFORE_RESPONSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "H",
                "HTTP/1.1 200 OK",
                "HTTP/1.1 200 OK\r\n",
                HALF_A_HEADER,
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r",
                "HTTP/1.1 100 Continue\r\n\r\n"
            })
    void closeInTheHeader(String part) throws Exception {
        assertReset(part, Peer::closeInOrder, Stage.IN_HEADER);
    }

    @Test
    void resetInTheHeader() throws Exception {
        assertReset(HALF_A_HEADER, Peer::reset, Stage.IN_HEADER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TEN_BYTES,
                TEN_BYTES + "12345",
                CHUNKED,
                CHUNKED + "a",
                CHUNKED + "a\r\n12345",
                CHUNKED + "a\r\n1234567890",
                CHUNKED + "a\r\n1234567890\r",
                CHUNKED + "a\r\n1234567890\r\n",
                CHUNKED + "a\r\n1234567890\r\n0",
                CHUNKED + "a\r\n1234567890\r\n0\r\n",
                CHUNKED + "a\r\n1234567890\r\n0\r\nTrailer: half"
            })
    void closeInTheBody(String part) throws Exception {
        assertReset(part, Peer::closeInOrder, Stage.IN_BODY);
    }

    @ParameterizedTest
    @ValueSource(strings = {TEN_BYTES, TEN_BYTES + "12345", CHUNKED + "a\r\n12345"})
    void resetInTheBody(String part) throws Exception {
        assertReset(part, Peer::reset, Stage.IN_BODY);
    }

    @Test
    void resetInABodyThatLastsUntilTheClose() throws Exception {
        assertReset("HTTP/1.1 200 OK\r\n\r\n12345", Peer::reset, Stage.IN_BODY);
    }

    private static void assertReset(String part, Script ending, Stage stage) throws Exception {
        Exchange broken = FirstExchange.brokenBy(peer -> {
            peer.readRequest();
            peer.write(part);
            ending.play(peer);
        });
        assertThat(broken.outcome()).isEqualTo(new Reset(stage));
        assertThat(broken.outcome().censored()).isFalse();
        assertThat(broken.bytesReceived()).isEqualTo(part.length());
    }
}
