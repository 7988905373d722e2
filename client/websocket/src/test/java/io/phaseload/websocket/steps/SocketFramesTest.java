package io.phaseload.websocket.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.http.TestCertificate;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.result.Figures;
import io.phaseload.timing.Timing;
import io.phaseload.websocket.FrameServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps with a WebSocket of a server that says what it is told to, with TLS and without. */
@Timeout(60)
class SocketFramesTest {

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void aTrustedCertificateIsEnoughAndAnotherIsRefused(String engine, @TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        Path authority = Files.writeString(folder.resolve("ca.pem"), certificate.certificatePem());
        TlsFiles trusting = new TlsFiles(Optional.of(authority), Optional.empty(), Optional.empty());
        try (FrameServer server =
                new FrameServer(certificate.server().getServerSocketFactory(), "", FrameServer.ECHO)) {
            URI url = server.url("https");
            Figures trusted = run(plan(engine, url).tlsFiles(trusting));
            assertThat(trusted.failures()).isEmpty();
            assertThat(trusted.succeeded()).isEqualTo(3);
            assertThat(trusted.time(Timing.TLS).samples()).isEqualTo(1);

            assertThat(run(plan(engine, url).insecure(true)).failures()).isEmpty();
            assertThat(run(plan(engine, url)).failures()).isEqualTo(Map.of("tls failure", 1L));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "events, c1 00, protocol error",
        "events, a1 00, protocol error",
        "events, 81 02 c328, protocol error",
        "events, 82 7f 0000000000200000, message longer than 1 MiB",
        "threads, c1 00, protocol error",
        "threads, 81 02 c328, protocol error"
    })
    void framesThatAreNoneHaveACause(String engine, String bytes, String cause) throws Exception {
        try (FrameServer server =
                new FrameServer(ServerSocketFactory.getDefault(), "", message -> FrameServer.Frame.raw(bytes))) {
            assertThat(run(plan(engine, server.url("http"))).failures()).isEqualTo(Map.of(cause, 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP nonsense", "HTTP/1.1 101 Switching Protocols"})
    void anAnswerThatIsNoneIsMalformed(String answer) throws Exception {
        String end = "\r\nContent-Length: 0\r\n\r\n";
        try (FrameServer server = new FrameServer(ServerSocketFactory.getDefault(), answer + end, FrameServer.ECHO)) {
            assertThat(run(plan("events", server.url("http"))).failures()).isEqualTo(Map.of("malformed response", 1L));
        }
    }

    private static PlanBuilder plan(String engine, URI url) {
        Journey journey = Journey.named("echo")
                .step(Step.connect("/any"))
                .step(Step.send("hello"))
                .step(Step.expect(Expectation.ANYTHING));
        return Plan.builder(url.resolve("/"))
                .scenario(Scenario.of(Journeys.of(journey)))
                .threads(1)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE))
                .engine(EngineSettings.of(engine));
    }

    private static Figures run(PlanBuilder plan) throws InterruptedException {
        try (ThreadsLoadClient client = ThreadsLoadClient.of(plan.build())) {
            return client.run().totals();
        }
    }
}
