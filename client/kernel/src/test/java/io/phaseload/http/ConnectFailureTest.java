package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.TestEngine;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** No connection can be made. */
@Tag("contract")
class ConnectFailureTest {

    private static final Duration LIMIT = Duration.ofMillis(300);

    @Test
    void refused() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = closed.getLocalPort();
        }
        try (OneUser user = OneUser.of(URI.create("http://127.0.0.1:" + port))) {
            for (int i = 0; i < 3; i++) {
                Exchange refused = user.get();

                assertThat(refused.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_REFUSED);
                assertThat(refused.outcome().censored()).isFalse();
                assertThat(refused.endNanos() - refused.sentNanos())
                        .isPositive()
                        .isLessThan(OneUser.LONG.toNanos());
                assertThat(refused.bytesReceived()).isZero();
                assertThat(refused.setUpNanos()).isZero();
                assertThat(refused.reconnected()).isFalse();
            }
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "others refuse when the queue is full")
    void noAnswer() throws Exception {
        try (FullBacklog server = new FullBacklog(InetAddress.getByName("127.0.0.1"), 0);
                OneUser user = user("http", server.port())) {
            assertConnectTimeout(user);
        }
    }

    @Test
    @DisabledIfSystemProperty(named = TestEngine.NAME, matches = "events", disabledReason = "it has no TLS")
    void tlsHandshakeWithoutAnAnswer() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.SAY_NOTHING);
                OneUser user = user("https", server.port())) {
            assertConnectTimeout(user);
        }
    }

    @Test
    @DisabledIfSystemProperty(named = TestEngine.NAME, matches = "events", disabledReason = "it has no TLS")
    void tlsHandshakeThatTricklesForever() throws Exception {
        // A TLS record of 16 KiB, a byte at a time.
        Script drips = peer -> {
            peer.awaitFirstByte();
            peer.write("\26\3\3\77\377\2\0\77\373");
            peer.drip("\0", Duration.ofMillis(20));
        };
        try (MisbehavingServer server = MisbehavingServer.start(drips);
                OneUser user = user("https", server.port())) {
            assertConnectTimeout(user);
        }
    }

    @Test
    void unknownHost() {
        try (OneUser user = OneUser.of(URI.create("http://does-not-exist.invalid/"))) {
            Exchange unknown = user.get();

            assertThat(unknown.outcome()).isInstanceOfSatisfying(Outcome.ClientFault.class, fault -> {
                assertThat(fault.cause()).isEqualTo(Cause.UNKNOWN_HOST);
                assertThat(fault.detail()).contains("does-not-exist.invalid");
            });
            assertThat(unknown.outcome().cause().key()).isEqualTo("client: unknown host");
        }
    }

    private static OneUser user(String scheme, int port) {
        return OneUser.of(URI.create(scheme + "://127.0.0.1:" + port), LIMIT, OneUser.LONG);
    }

    private static void assertConnectTimeout(OneUser user) {
        for (int i = 0; i < 2; i++) {
            long before = System.nanoTime();
            Exchange timedOut = user.get();
            long wall = System.nanoTime() - before;

            assertThat(timedOut.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_TIMEOUT);
            assertThat(timedOut.outcome().censored()).isTrue();
            assertThat(timedOut.endNanos() - timedOut.sentNanos()).isEqualTo(LIMIT.toNanos());
            assertThat(wall).isLessThan(Duration.ofSeconds(5).toNanos());
            assertThat(timedOut.bytesReceived()).isZero();
            assertThat(timedOut.setUpNanos()).isZero();
            assertThat(timedOut.reconnected()).isFalse();
        }
    }
}
