package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The limit is on the complete response; that something comes now and then doesn't extend it. */
@Tag("contract")
class ReadTimeoutTest {

    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Duration PAUSE = Duration.ofMillis(20);

    static Stream<Arguments> drips() {
        return Stream.of(
                Arguments.of("interim responses", "", "HTTP/1.1 102 Processing\r\n\r\n"),
                Arguments.of("empty lines", "", ""),
                Arguments.of("status line", "HTTP/1.1 200 ", "O"),
                Arguments.of("header lines", "HTTP/1.1 200 OK\r\n", "A: b\r\n"),
                Arguments.of("header line", "HTTP/1.1 200 OK\r\nA: ", "b"),
                Arguments.of("chunked body", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
                Arguments.of("chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n", "x"),
                Arguments.of("body until the close", "HTTP/1.1 200 OK\r\n\r\n", "x"),
                Arguments.of(
                        "body with a huge length",
                        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
                        "x"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("drips")
    void endsATrickleThatNeverEnds(String name, String begin, String drop) throws Exception {
        Exchange timedOut = FirstExchange.timedOutBy(
                peer -> {
                    peer.readRequest();
                    peer.write(begin);
                    peer.drip(drop, PAUSE);
                },
                LIMIT);

        assertThat(timedOut.bytesReceived()).isGreaterThanOrEqualTo(begin.length());
        assertThat(timedOut.setUpNanos()).isPositive();
        assertThat(timedOut.reconnected()).isFalse();
    }

    @Test
    void endsSilence() throws Exception {
        Exchange timedOut = FirstExchange.timedOutBy(Script.SAY_NOTHING, LIMIT);

        assertThat(timedOut.bytesReceived()).isZero();
    }

    @Test
    void endsSilenceInABody() throws Exception {
        String begin = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345";
        Exchange timedOut = FirstExchange.timedOutBy(
                peer -> {
                    peer.readRequest();
                    peer.write(begin);
                    peer.awaitHangUp();
                },
                LIMIT);

        assertThat(timedOut.bytesReceived()).isEqualTo(begin.length());
    }

    @Test
    void endsAFlood() throws Exception {
        Exchange timedOut = FirstExchange.timedOutBy(
                peer -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\n\r\n");
                    peer.flood("x".repeat(10_000));
                },
                LIMIT);

        assertThat(timedOut.bytesReceived()).isGreaterThan(10_000);
    }

    @Test
    void endsSilenceOnAReusedConnection() throws Exception {
        Script oneAnswer = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            peer.readRequest();
            peer.awaitHangUp();
        };
        Duration limit = Duration.ofSeconds(2);
        try (MisbehavingServer server = MisbehavingServer.start(oneAnswer, Script.BEHAVE);
                OneUser user = OneUser.of(server.uri(), OneUser.LONG, limit)) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            Exchange second = user.get();

            assertThat(second.outcome()).isEqualTo(Outcome.NoResponse.READ_TIMEOUT);
            assertThat(second.endNanos() - second.sentNanos()).isEqualTo(limit.toNanos());
            assertThat(second.setUpNanos()).isZero();
            assertThat(second.bytesReceived()).isZero();
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void endsAWriteThatNobodyReads() throws Exception {
        Script neverReads = peer -> peer.pause(Duration.ofSeconds(30));
        try (MisbehavingServer server = MisbehavingServer.start(neverReads);
                OneUser user = OneUser.of(server.uri(), OneUser.LONG, LIMIT)) {
            Exchange blocked = user.send(Operation.post("/", Body.ofBytes(new byte[10_000_000])));

            assertThat(blocked.outcome()).isEqualTo(Outcome.NoResponse.READ_TIMEOUT);
            assertThat(blocked.endNanos() - blocked.sentNanos()).isEqualTo(LIMIT.toNanos());
            assertThat(server.connections()).isEqualTo(1);
        }
    }
}
