package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that rejects a large request early, and answers before it closes. */
@Tag("contract")
class EarlyResponseTest {

    private static final int UPLOADS = 20;

    private static final Operation UPLOAD = Operation.post("/", Body.ofBytes(new byte[10_000_000]));

    private static final String TOO_LARGE =
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno";

    private static SSLContext certificate;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = TestCertificate.of("localhost", folder).server();
    }

    /** With bytes left unread, the system makes a reset of the close. */
    @ParameterizedTest
    @EnumSource
    @Tag("wire")
    void isReadDespiteAReset(ServerWire wire) throws Exception {
        refused(wire, peer -> {
            peer.awaitFirstByte();
            peer.write(TOO_LARGE);
        });
    }

    /** As a server does so that its answer is read. */
    @ParameterizedTest
    @EnumSource
    void isReadWhileTheServerKeepsReading(ServerWire wire) throws Exception {
        refused(wire, peer -> {
            peer.awaitFirstByte();
            peer.write(TOO_LARGE);
            peer.sayGoodbye();
            peer.awaitHangUp();
        });
    }

    private static void refused(ServerWire wire, Script refuses) throws Exception {
        try (MisbehavingServer server = wire.start(certificate, refuses);
                OneUser user = ServerWire.user(server.uri())) {
            for (int i = 0; i < UPLOADS; i++) {
                Exchange refused = user.send(UPLOAD);

                assertThat(refused.outcome().cause().key()).isEqualTo("http 413");
                assertThat(refused.bytesReceived()).isEqualTo(TOO_LARGE.length());
                assertThat(refused.resent()).isZero();
            }
            assertThat(server.connections()).isEqualTo(UPLOADS);
        }
    }
}
