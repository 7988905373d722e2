package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies that wait for {@code 100 Continue} (RFC 9110 §10.1.1). */
@Tag("contract")
@Timeout(60)
class ContinueTest {

    private static final int SIZE = 100_000;

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\nX-Y: z\r\n\r\n";

    private static SSLContext certificate;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = TestCertificate.of("localhost", folder).server();
    }

    private static final Operation UPLOAD = Operation.post("/", Body.ofText("x".repeat(SIZE)));

    /** Sends some, and returns the last result. */
    private static Exchange send(MisbehavingServer server, Operation... operations) {
        Target target = new Target(
                server.uri(), List.of(new Header("Expect", "100-continue")), OneUser.LONG, OneUser.LONG, true);
        try (OneUser user = OneUser.of(target)) {
            Exchange last = null;
            for (Operation operation : operations) {
                last = user.send(operation);
            }
            return last;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBodyFollowsWhenTheServerAsksForIt(ServerWire wire) throws Exception {
        AtomicInteger bytes = new AtomicInteger();
        Script asks = peer -> {
            for (int i = 0; i < 2; i++) {
                assertThat(peer.readHead()).contains("\r\nExpect: 100-continue\r\n");
                peer.write(CONTINUE);
                bytes.addAndGet(peer.read(SIZE).length);
                peer.write(Peer.OK);
            }
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = wire.start(certificate, asks)) {
            assertThat(send(server, UPLOAD, UPLOAD).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(bytes).hasValue(2 * SIZE);
            assertThat(server.connections()).isOne();
        }
    }

    /** Nothing of the body comes, also not later: the connection can't be used any more. */
    @ParameterizedTest
    @EnumSource
    void aBodyThatIsRefusedIsntSent(ServerWire wire) throws Exception {
        AtomicInteger bytes = new AtomicInteger();
        Script refuses = peer -> {
            peer.readHead();
            peer.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
            try {
                bytes.addAndGet(peer.read(1).length);
            } catch (java.io.IOException reset) {
                // Nor does this say that anything came.
            }
        };
        try (MisbehavingServer server = wire.start(certificate, refuses)) {
            assertThat(send(server, UPLOAD, UPLOAD).outcome().cause().key()).isEqualTo("http 413");
            assertThat(bytes).hasValue(0);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** HTTP/1.0 knew nothing of it. */
    @Test
    @Tag("wire")
    void aServerThatSaysNothingGetsTheBodyAfterAWhile() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            assertThat(send(server, UPLOAD).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0)).hasSizeGreaterThan(SIZE);
        }
    }

    @Test
    void withoutABodyThereIsNothingToWaitFor() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            assertThat(send(server, Operation.get("/")).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0)).doesNotContain("Expect");
        }
    }
}
