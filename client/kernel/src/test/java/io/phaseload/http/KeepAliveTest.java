package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Header;
import io.phaseload.plan.Target;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a connection is kept, and when the next request gets a new one. */
@Tag("contract")
class KeepAliveTest {

    @Test
    void oneConnectionCarriesManyExchanges() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.get();
            assertThat(first.setUpNanos()).isPositive();
            long lastEnd = first.endNanos();
            for (int i = 0; i < 20; i++) {
                Exchange next = user.get();
                assertThat(next.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(next.setUpNanos()).isZero();
                assertThat(next.reconnected()).isFalse();
                assertThat(next.bytesReceived()).isEqualTo(Peer.OK.length());
                assertThat(next.sentNanos() - lastEnd).isNotNegative();
                assertThat(next.endNanos() - next.sentNanos()).isPositive();
                lastEnd = next.endNanos();
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).hasSize(21);
        }
    }

    @Test
    void setUpIsNotPartOfTheServiceTime() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            long before = System.nanoTime();
            Exchange first = user.get();

            assertThat(first.sentNanos() - before).isGreaterThanOrEqualTo(first.setUpNanos());
        }
    }

    @Test
    void http10KeepsTheConnectionIfAskedTo() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + "Content-Length: 2\r\n\r\nok");
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            user.get();
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            })
    void theServerMayCloseTheConnection(String response) throws Exception {
        assertClosed(response);
    }

    /** Who knows where it ends? (RFC 9112 §6.1) */
    @Test
    @Tag("wire")
    void aResponseWithALengthAndChunksIsTheLastOne() throws Exception {
        assertClosed(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
    }

    private static void assertClosed(String response) throws Exception {
        // This server doesn't close: the client must, as it was told.
        Script closing = peer -> {
            peer.readRequest();
            peer.write(response);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(closing);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.get();
            Exchange second = user.get();

            assertThat(second.outcome()).isEqualTo(first.outcome());
            assertThat(second.reconnected()).isFalse();
            assertThat(second.setUpNanos()).isPositive();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void theRequestMayCloseTheConnection() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(new Target(
                        server.uri(), List.of(new Header("Connection", "close")), OneUser.LONG, OneUser.LONG, false))) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(2);
        }
    }
}
