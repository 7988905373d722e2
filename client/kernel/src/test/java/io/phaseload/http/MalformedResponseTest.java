package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome.MalformedResponse;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The response is not HTTP/1.x, or more than the client accepts. */
@Tag("contract")
class MalformedResponseTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    static Stream<Arguments> garbage() {
        return Stream.of(
                Arguments.of("SSH-2.0-OpenSSH_9.2\r\n", "Invalid protocol version"),
                Arguments.of("\0\1\2\377\033[31mred\r\n", "Invalid protocol version"),
                Arguments.of("HTTP/1.1 abc\r\n\r\n", "invalid status code"),
                Arguments.of("HTTP/1.1 \r\n\r\n", "invalid status code"),
                Arguments.of("HTTP/1.1 99 Low\r\n\r\n", "99"),
                Arguments.of("HTTP/1.1 1000 High\r\n\r\n", "1000"),
                Arguments.of("HTTP/1.1 2147483648 High\r\n\r\n", "invalid status code"),
                Arguments.of("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n", "protocol"),
                Arguments.of("HTTP/2.0 200 OK\r\n\r\n", "2.0"),
                Arguments.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "Invalid protocol version"),
                Arguments.of("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n", "Invalid header"),
                Arguments.of("\r\n".repeat(100), "empty line limit"),
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "-1"),
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", "ten"),
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12", ""),
                Arguments.of("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "transfer encoding"),
                Arguments.of("HTTP/1.1 200 OK\r\n: c\r\n\r\n", "Invalid header"),
                Arguments.of(CHUNKED + "xyz\r\n", "Bad chunk header: xyz"),
                Arguments.of(CHUNKED + "-5\r\n", "Negative chunk size"),
                Arguments.of(CHUNKED + "2\r\nokay\r\n", "end of chunk"));
    }

    /** HttpClient takes these for responses. */
    static Stream<Arguments> tolerable() {
        return Stream.of(
                Arguments.of("HTTP/1.1 200 O\0K\r\n\r\n", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 O\rK\r\n\r\n", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 OK\rA: b\r\r", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 OK\r\nA: b\r\r\n\r\n", "NUL or bare CR"),
                Arguments.of("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "Invalid header: A b: c"),
                Arguments.of("HTTP/1.1 200 OK\r\nA : c\r\n\r\n", "Invalid header: A : c"),
                Arguments.of("HTTP/1.1 200 OK\r\nA\"b: c\r\n\r\n", "Invalid header: A\"b: c"),
                Arguments.of("HTTP/1.1 200 OK\r\nA\377: c\r\n\r\n", "Invalid header"),
                Arguments.of(CHUNKED + " 2\r\nok\r\n0\r\n\r\n", "Bad chunk header:  2"),
                Arguments.of(CHUNKED + "0\r\nA b: c\r\n\r\n", "Invalid header: A b: c"),
                Arguments.of(CHUNKED + "0\r\nA: \0\r\n\r\n", "NUL or bare CR"));
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void isReported(String response, String reason) throws Exception {
        assertReported(response, reason);
    }

    @ParameterizedTest
    @MethodSource("tolerable")
    @Tag("wire")
    void isReportedEvenIfOthersTolerateIt(String response, String reason) throws Exception {
        assertReported(response, reason);
    }

    private static void assertReported(String response, String reason) throws Exception {
        Exchange broken = FirstExchange.brokenBy(peer -> {
            peer.readRequest();
            peer.write(response);
            peer.awaitHangUp();
        });

        assertThat(broken.outcome()).isInstanceOf(MalformedResponse.class);
        assertThat(broken.outcome().detail()).contains(reason);
        assertThat(broken.outcome().detail()).doesNotContainPattern("\\p{Cntrl}");
        assertThat(broken.bytesReceived()).isEqualTo(response.length());
    }

    @Test
    void tooManyHeaderLines() throws Exception {
        Exchange broken = FirstExchange.brokenBy(flooding("HTTP/1.1 200 OK\r\n", "A: b\r\n"));

        assertThat(broken.outcome()).isEqualTo(new MalformedResponse("Maximum header count exceeded"));
    }

    @Test
    void aHeaderLineWithoutAnEnd() throws Exception {
        Exchange broken = FirstExchange.brokenBy(flooding("HTTP/1.1 200 OK\r\nA: ", "bbbb"));

        assertThat(broken.outcome()).isEqualTo(new MalformedResponse("Maximum line length limit exceeded"));
    }

    @Test
    void aFoldedHeaderWithoutAnEnd() throws Exception {
        Exchange broken = FirstExchange.brokenBy(flooding("HTTP/1.1 200 OK\r\nA: b\r\n", " b\r\n"));

        // Lines by our own parser's count, a long one by HttpClient's.
        assertThat(broken.outcome())
                .isIn(
                        new MalformedResponse("Maximum header count exceeded"),
                        new MalformedResponse("Maximum line length limit exceeded"));
    }

    @Test
    void aStatusLineWithoutAnEnd() throws Exception {
        Exchange broken = FirstExchange.brokenBy(flooding("HTTP/1.1 200 ", "OK"));

        assertThat(broken.outcome()).isEqualTo(new MalformedResponse("Maximum line length limit exceeded"));
    }

    @Test
    void tooManyTrailers() throws Exception {
        Exchange broken = FirstExchange.brokenBy(flooding(CHUNKED + "0\r\n", "A: b\r\n"));

        assertThat(broken.outcome()).isEqualTo(new MalformedResponse("Maximum header count exceeded"));
    }

    @Test
    void theReasonIsShortEvenForLongGarbage() throws Exception {
        Exchange broken = FirstExchange.brokenBy(peer -> {
            peer.readRequest();
            peer.write("garbage ".repeat(1_000) + "\r\n");
            peer.awaitHangUp();
        });

        assertThat(broken.outcome()).isInstanceOf(MalformedResponse.class);
        assertThat(broken.outcome().detail()).hasSizeLessThan(300);
    }

    /** A broken peer might send for ever, and no port should be left waiting for that. */
    @Test
    @Tag("wire")
    void theConnectionIsReset() throws Exception {
        BlockingQueue<Boolean> inOrder = new ArrayBlockingQueue<>(1);
        Script garbage = peer -> {
            peer.readRequest();
            peer.write("garbage\r\n");
            inOrder.add(peer.awaitHangUp());
        };
        try (MisbehavingServer server = MisbehavingServer.start(garbage);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().outcome()).isInstanceOf(MalformedResponse.class);
            assertThat(inOrder.take()).isFalse();
        }
    }

    private static Script flooding(String begin, String endless) {
        return peer -> {
            peer.readRequest();
            peer.write(begin);
            peer.flood(endless.repeat(1_000));
        };
    }
}
