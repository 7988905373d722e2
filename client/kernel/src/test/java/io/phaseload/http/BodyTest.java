package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.check.Check;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way to frame a body, each read to its end and counted to the byte. */
@Tag("contract")
class BodyTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\n";

    static Stream<Arguments> keptResponses() {
        String large = "x".repeat(5 << 20);
        return Stream.of(
                Arguments.of("content-length", HEAD + "Content-Length: 5\r\n\r\nalive"),
                Arguments.of("empty", HEAD + "Content-Length: 0\r\n\r\n"),
                Arguments.of(
                        "chunked",
                        HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "2;ext=1\r\nal\r\n3\r\nive\r\n0\r\n\r\n"),
                Arguments.of(
                        "chunked with trailers",
                        HEAD
                                + "Transfer-Encoding: chunked\r\nTrailer: Sum\r\n\r\n"
                                + "5\r\nalive\r\n0\r\nSum: 1\r\nOther: 2\r\n\r\n"),
                Arguments.of("5 MiB", HEAD + "Content-Length: " + large.length() + "\r\n\r\n" + large),
                Arguments.of(
                        "5 MiB in one chunk",
                        HEAD + "Transfer-Encoding: chunked\r\n\r\n500000\r\n" + large + "\r\n0\r\n\r\n"),
                Arguments.of("a length in odd case", HEAD + "cONTENT-lENGTH: 2\r\n\r\nok"),
                Arguments.of("a length that is folded", HEAD + "Content-Length:\r\n\t 2\r\n\r\nok"),
                Arguments.of(
                        "a fold of what isn't looked at",
                        HEAD + "Server: a\r\n  Content-Length: 9\r\nContent-Length: 2\r\n\r\nok"),
                Arguments.of("chunks in odd case", HEAD + "transfer-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
                Arguments.of("blanks after the status", "HTTP/1.1 200  \r\nContent-Length: 2\r\n\r\nok"),
                Arguments.of("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
                Arguments.of("204", "HTTP/1.1 204 No Content\r\n\r\n"),
                Arguments.of(
                        "304 with the length of what it left out",
                        "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"),
                Arguments.of(
                        "interim responses first",
                        "HTTP/1.1 100 Continue\r\n\r\n"
                                + "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                                + HEAD
                                + "Content-Length: 5\r\n\r\nalive"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("keptResponses")
    void isReadToItsEndAndTheConnectionIsKept(String name, String response) throws Exception {
        assertKept(response);
    }

    @Test
    @Tag("wire")
    void isReadBehindAHeadAsLargeAsItMayBe() throws Exception {
        assertKept(HEAD + "A: b\r\n".repeat(999) + "Content-Length: 0\r\n\r\n");
        assertKept(HEAD + "A: " + "b".repeat(65_000) + "\r\nContent-Length: 0\r\n\r\n");
    }

    private static void assertKept(String response) throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(response);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.get();
            Exchange second = user.get();

            assertThat(first.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(first.bytesReceived()).isEqualTo(response.length());
            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.bytesReceived()).isEqualTo(response.length());
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void theFinalResponseMayFollowLongAfterAnInterimOne() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 102 Processing\r\n\r\n");
            peer.pause(Duration.ofMillis(100));
            peer.write(Peer.OK);
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
        }
    }

    @Test
    void withoutALengthEndsWithTheConnection() throws Exception {
        String response = HEAD + "\r\nalive until the end";
        Script script = peer -> {
            peer.readRequest();
            peer.write(response);
        };
        Operation operation = Operation.get("/").withChecks(new Check.BodyCheck("until the end", false));
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.send(operation);
            Exchange second = user.send(operation);

            assertThat(first.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(first.bytesReceived()).isEqualTo(response.length());
            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.setUpNanos()).isPositive();
            assertThat(second.reconnected()).isFalse();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void isNotExpectedAfterHead() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(HEAD + "Content-Length: 1000\r\n\r\n");
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.send(Operation.of("HEAD", "/")).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.send(Operation.of("HEAD", "/")).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).allMatch(request -> request.startsWith("HEAD / "));
        }
    }
}
