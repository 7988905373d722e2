package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** HTTPS: who is trusted, and how it breaks. */
@Isolated("sets the JVM's default SSL context")
@Tag("contract")
class TlsTest {

    private static TestCertificate localhost;
    private static TestCertificate other;

    private SSLContext defaultContext;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws Exception {
        localhost = TestCertificate.of("localhost", folder);
        other = TestCertificate.of("other.example", folder);
    }

    @BeforeEach
    void keepDefaultContext() throws NoSuchAlgorithmException {
        defaultContext = SSLContext.getDefault();
    }

    @AfterEach
    void restoreDefaultContext() {
        SSLContext.setDefault(defaultContext);
    }

    @Test
    void aTrustedCertificateWithTheRightNameSucceeds() throws Exception {
        SSLContext.setDefault(localhost.trusting());
        try (MisbehavingServer server = MisbehavingServer.startTls(localhost.server(), Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.get();
            Exchange second = user.get();

            assertThat(first.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(first.setUp().tlsNanos()).isPositive();
            assertThat(first.setUpNanos())
                    .isGreaterThan(first.setUp().tlsNanos() + first.setUp().connectNanos());
            assertThat(first.bytesReceived()).isEqualTo(Peer.OK.length());
            assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(second.setUpNanos()).isZero();
            assertThat(second.bytesReceived()).isEqualTo(Peer.OK.length());
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2).allMatch(request -> request.contains("\r\nHost: localhost:"));
        }
    }

    @Test
    void anUntrustedCertificateFails() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.startTls(localhost.server(), Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            assertTlsFailure(user.get(), "PKIX path building failed");
            assertTlsFailure(user.get(), "PKIX path building failed");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aTrustedCertificateWithAnotherNameFails() throws Exception {
        SSLContext.setDefault(other.trusting());
        try (MisbehavingServer server = MisbehavingServer.startTls(other.server(), Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            assertTlsFailure(user.get(), "localhost");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void anInsecureTargetAcceptsBoth() throws Exception {
        for (TestCertificate certificate : List.of(localhost, other)) {
            try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE);
                    OneUser user = insecure(server.uri())) {
                assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            }
        }
    }

    @Test
    void plainServerOnATlsPort() throws Exception {
        Script answersInPlain = peer -> {
            peer.awaitFirstByte();
            peer.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(answersInPlain);
                OneUser user = OneUser.of(https(server))) {
            assertTlsFailure(user.get(), "SSL message");
        }
    }

    @Test
    void resetInTheHandshake() throws Exception {
        Script resets = peer -> {
            peer.awaitFirstByte();
            peer.reset();
        };
        try (MisbehavingServer server = MisbehavingServer.start(resets);
                OneUser user = OneUser.of(https(server))) {
            assertThat(user.get().outcome()).isEqualTo(new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void closeInTheHandshake() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Peer::awaitFirstByte);
                OneUser user = OneUser.of(https(server))) {
            assertTlsFailure(user.get(), "terminated the handshake");
        }
    }

    @Test
    void resetInTheBody() throws Exception {
        assertReset("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", Peer::reset);
    }

    @Test
    void closeInTheBody() throws Exception {
        assertReset("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", Peer::closeInOrder);
    }

    @Test
    void closeWithoutCloseNotifyInTheBody() throws Exception {
        assertReset("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", Peer::endOutput);
    }

    @Test
    void aBodyWithoutALengthIsCompleteAfterCloseNotify() throws Exception {
        for (Script ending : List.<Script>of(Peer::closeInOrder, Peer::sayGoodbye)) {
            assertThat(bodyToTheEnd(ending).outcome()).isEqualTo(Outcome.SUCCESS);
        }
    }

    /** If somebody cuts the connection, the body may be truncated (RFC 9112 §9.8). */
    @Test
    @Tag("wire")
    void aBodyWithoutALengthMayBeTruncatedWithoutCloseNotify() throws Exception {
        Exchange exchange = bodyToTheEnd(Peer::endOutput);

        assertThat(exchange.outcome()).isEqualTo(Outcome.NoResponse.NO_CLOSE_NOTIFY);
        assertThat(exchange.bytesReceived()).isEqualTo("HTTP/1.1 200 OK\r\n\r\n12345".length());
    }

    private static Exchange bodyToTheEnd(Script ending) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\n\r\n12345");
            ending.play(peer);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.startTls(localhost.server(), script);
                OneUser user = insecure(server.uri())) {
            return user.get();
        }
    }

    /** More than fits into a record, and into what is received at once. */
    @Test
    void largeBodiesTravelBothWays() throws Exception {
        byte[] body = new byte[1_000_000];
        new Random(7).nextBytes(body);
        String text = new String(body, StandardCharsets.ISO_8859_1);
        Script echo = peer -> {
            while (true) {
                String request = peer.readRequest();
                String sent = request.substring(request.indexOf("\r\n\r\n") + 4);
                boolean same = sent.equals(text);
                peer.write("HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(same ? 200 : 400, sent.length(), sent));
            }
        };
        try (MisbehavingServer server = MisbehavingServer.startTls(localhost.server(), echo);
                OneUser user = insecure(server.uri())) {
            for (int i = 0; i < 3; i++) {
                Exchange exchange = user.send(Operation.post("/", Body.ofBytes(body)));
                assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(exchange.bytesReceived()).isGreaterThan(body.length);
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aHandshakeThatNeverEndsIsAConnectTimeout() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.SAY_NOTHING);
                OneUser user = OneUser.of(https(server), Duration.ofMillis(300), OneUser.LONG)) {
            Exchange exchange = user.get();

            assertThat(exchange.outcome()).isEqualTo(Outcome.NoResponse.CONNECT_TIMEOUT);
            assertThat(exchange.setUpNanos()).isZero();
        }
    }

    @Test
    void theReasonIsTheServersAlert() throws Exception {
        Script refuses = peer -> {
            peer.awaitFirstByte();
            // A record of TLS 1.2 with an alert: fatal, handshake_failure.
            peer.write(new byte[] {21, 3, 3, 0, 2, 2, 40});
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(refuses);
                OneUser user = OneUser.of(https(server))) {
            assertTlsFailure(user.get(), "Received fatal alert: handshake_failure");
        }
    }

    private static void assertTlsFailure(Exchange exchange, String reason) {
        assertThat(exchange.outcome()).isInstanceOf(Outcome.TlsFailure.class);
        assertThat(exchange.outcome().cause().key()).isEqualTo("tls failure");
        assertThat(exchange.outcome().detail()).contains(reason);
        assertThat(exchange.setUpNanos()).isZero();
        assertThat(exchange.bytesReceived()).isZero();
    }

    private static void assertReset(String part, Script ending) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(part);
            ending.play(peer);
        };
        try (MisbehavingServer server = MisbehavingServer.startTls(localhost.server(), script, Script.BEHAVE);
                OneUser user = insecure(server.uri())) {
            Exchange broken = user.get();

            assertThat(broken.outcome()).isEqualTo(new Outcome.Reset(Outcome.Reset.Stage.IN_BODY));
            assertThat(broken.bytesReceived()).isEqualTo(part.length());
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
        }
    }

    private static OneUser insecure(URI uri) {
        return OneUser.of(new Target(uri, List.of(), OneUser.LONG, OneUser.LONG, true));
    }

    private static URI https(MisbehavingServer server) {
        return URI.create("https://localhost:" + server.port() + "/");
    }
}
