package io.phaseload.cli.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NullServerTest {

    /** More than a socket takes at once, and than HTTP/2's first window, with what ends heads. */
    private static final Body LARGE = Body.ofText("012345\r\n\r\n".repeat(20_000));

    private static Stream<EngineSettings> clients() {
        return Stream.of(
                EngineSettings.THREADS,
                EngineSettings.of("events"),
                EngineSettings.builder("events").protocol(new Protocol.Http1(4)).build(),
                EngineSettings.builder("events").protocol(new Protocol.Http2(4)).build(),
                EngineSettings.builder("threads")
                        .client(HttpClientSettings.DEFAULT.with(ConnectionPool.DEFAULT.of(4)))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("clients")
    void answersEachRequestOfOurClients(EngineSettings engine) throws Exception {
        try (NullServer server = new NullServer()) {
            Plan plan = Plan.builder(URI.create("http://127.0.0.1:" + server.port() + "/base"))
                    .threads(8)
                    .phases(new Phase("peak", 1, new PhaseLength.Iterations(20)))
                    .engine(engine)
                    .responseTimeout(Duration.ofSeconds(20))
                    .operations(
                            Operation.get("/"),
                            Operation.post("/small", Body.ofText("x")),
                            Operation.post("/large", LARGE),
                            Operation.of("DELETE", "/"))
                    .build();
            try (ThreadsLoadClient client = ThreadsLoadClient.of(plan)) {
                Figures totals = client.run().totals();
                assertThat(totals.failures()).isEmpty();
                assertThat(totals.succeeded()).isEqualTo(640);
                assertThat(totals.resent()).isZero();
            }
        }
    }

    @Test
    void theCeilingIsThatOfThePlansRequestsWithoutTheirChecks() {
        Plan plan = Plan.builder(URI.create("https://shop.example/base"))
                .operations(Operation.get("/").withChecks(new Check.BodyCheck("alive", false)))
                .build();

        Ceiling ceiling = Ceiling.measure(plan, 20, 10, Duration.ofMillis(100));

        assertThat(ceiling.failures()).isEmpty();
        assertThat(ceiling.users()).isEqualTo(5);
        assertThat(ceiling.perSecond()).isPositive();
        assertThat(ceiling.serverShare()).isBetween(0.0, 1.0);
    }
}
