package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.connection.SocketBuffers;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.plan.share.Part;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {

    private static final URI SERVER = URI.create("http://localhost:8080/");
    private static final Phase PEAK = new Phase("peak", 1, new PhaseLength.Iterations(1));

    private static final RequestSigner SIGNER = new RequestSigner() {
        @Override
        public Duration renewal() {
            return Duration.ofMinutes(1);
        }

        @Override
        public List<Header> sign(Unsigned request) {
            return List.of();
        }
    };

    @Test
    void aPlanHasDefaults() {
        Plan plan = Plan.builder(SERVER).build();

        assertThat(plan.name()).isEqualTo("run");
        assertThat(plan.target()).isEqualTo(Target.of(SERVER));
        assertThat(plan.scenario()).isEqualTo(Scenario.getOnly());
        assertThat(plan.scenario().operations()).containsExactly(Operation.get("/"));
        assertThat(plan.threads()).isEqualTo(10);
        assertThat(plan.phases())
                .containsExactly(
                        new Phase("warmup", 0.10, new PhaseLength.Iterations(100)),
                        new Phase("loading", 0.50, new PhaseLength.Iterations(100)),
                        new Phase("peak", 1.00, new PhaseLength.Iterations(100)),
                        new Phase("cooldown", 0.25, new PhaseLength.Iterations(100)));
        assertThat(plan.virtualThreads()).isFalse();
        assertThat(plan.labels()).isEmpty();
    }

    @Test
    void theBuilderSetsEveryField() {
        Header header = new Header("X-Run", "1");
        Operation operation = Operation.get("/items");
        EngineSettings engine = EngineSettings.of("events");

        Plan plan = Plan.builder(SERVER)
                .name("nightly")
                .header(header)
                .connectTimeout(Duration.ofSeconds(1))
                .responseTimeout(Duration.ofSeconds(2))
                .insecure(true)
                .operations(operation)
                .threads(7)
                .phases(PEAK)
                .engine(engine)
                .virtualThreads(true)
                .seed(9)
                .label("build", "b1")
                .label("area", "a1")
                .threshold(Threshold.parse("p95 < 1s"))
                .build();

        assertThat(plan)
                .isEqualTo(new Plan(
                        "nightly",
                        new Target(SERVER, List.of(header), Duration.ofSeconds(1), Duration.ofSeconds(2), true),
                        new Scenario(List.of(operation)),
                        7,
                        List.of(PEAK),
                        engine,
                        true,
                        9,
                        Map.of("build", "b1", "area", "a1"),
                        Optional.empty(),
                        List.of(Threshold.parse("p95 < 1s")),
                        Part.WHOLE,
                        List.of(),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(plan.labels().keySet()).containsExactly("build", "area");
    }

    @Test
    void aPhaseGoesOnUntilThresholdsAreDecided() {
        Phase minute = new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMinutes(1)));
        Plan plan = Plan.builder(SERVER)
                .phases(minute)
                .threshold(Threshold.parse("p95 < 1s"))
                .untilDecided(Duration.ofMinutes(2))
                .build();

        assertThat(plan.looks(minute).stream().map(Duration::toSeconds)).containsExactly(60L, 75L, 93L, 117L, 120L);
        assertThat(plan.coverage()).isEqualTo(0.99);
        assertThat(plan.withThreads(3).untilDecided()).isEqualTo(plan.untilDecided());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.untilDecided(Duration.ofMinutes(1)))
                .withMessage("until-decided 60 s: expected more than the phase's 60 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.builder(SERVER)
                        .phases(PEAK)
                        .untilDecided(Duration.ofMinutes(1))
                        .build())
                .withMessage("until-decided: phase 'peak': expected a duration and a constant load");
    }

    @Test
    void aDurationReplacesIterationsInTheDefaultPhases() {
        Plan plan = Plan.builder(SERVER).duration(Duration.ofSeconds(30)).build();

        assertThat(plan.phases()).isEqualTo(Phase.fourPhases(new PhaseLength.Lasting(Duration.ofSeconds(30))));
    }

    @Test
    void aQueryThatWouldNotBeSentIsRejected() {
        URI uri = URI.create("http://localhost:8080/base?k=v");

        assertThat(Plan.builder(uri).build().target().uri()).isEqualTo(uri);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Plan.builder(uri).operations(Operation.get("/x")).build())
                .withMessage("url: its query would not be sent with GET /x, which has its own path");
    }

    /** The published course: an iteration is a GET and a POST. */
    @ParameterizedTest
    @CsvSource({"20, 100, 7400", "100, 100, 37000", "1000, 1000, 3700000", "1, 1, 8"})
    void theDefaultPhasesSendThePublishedNumberOfRequests(int threads, long iterations, long requests) {
        Plan plan = Plan.builder(SERVER)
                .scenario(Scenario.getThenPost())
                .threads(threads)
                .iterations(iterations)
                .build();

        long sum = 0;
        for (Phase phase : plan.phases()) {
            long perUser = ((PhaseLength.Iterations) phase.length()).perUser();
            sum += phase.users(plan.threads())
                    * perUser
                    * plan.scenario().operations().size();
        }
        assertThat(sum).isEqualTo(requests);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_000_001})
    void threadsOutOfRangeAreRejected(int threads) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.builder(SERVER).threads(threads).build())
                .withMessage("threads %s: expected 1 to 1000000", threads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "../run", ".hidden", "run/1", "lauf-ü"})
    void aNameThatCantNameAFolderIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.builder(SERVER).name(name).build())
                .withMessage("name '%s': expected letters, digits, '.', '-' and '_'", name);
    }

    @Test
    void aPlanHasPhases() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.builder(SERVER).phases().build())
                .withMessage("phases: expected at least one");
    }

    @Test
    void twoPhasesOfTheSameNameAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.builder(SERVER).phases(PEAK, PEAK).build())
                .withMessage("phase 'peak': expected unique names");
    }

    @Test
    void aBuilderOfAPlanHasAllOfItAndMayLeaveOutAllButTheLoad() {
        URI below = URI.create("https://localhost:8443/a/");
        Target target = new Target(
                        below,
                        List.of(new Header("X-Run", "1")),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        false,
                        new TlsFiles(Optional.of(Path.of("ca.pem")), Optional.empty(), Optional.empty()))
                .by(new Route.UnixSocket(Path.of("socket")))
                .withBuffers(new SocketBuffers(OptionalInt.of(4096), OptionalInt.empty()))
                .withResendIdle(true)
                .withDetails(new KeptDetails(1, Optional.empty(), List.of("Server")));
        Phase minute = new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMinutes(1)));
        Plan plan = new Plan(
                "nightly",
                target,
                Scenario.getThenPost(),
                7,
                List.of(minute),
                EngineSettings.of("events"),
                true,
                9,
                Map.of("build", "b1"),
                Optional.of(new ServerMetrics(URI.create("/metrics"), Map.of())),
                List.of(Threshold.parse("p95 < 1s")),
                new Part(List.of(1), 2),
                List.of(LoadChange.parse("peak at 30s: users 3")),
                Optional.of(Duration.ofMinutes(2)),
                Optional.of(SIGNER));

        assertThat(plan.toBuilder().build()).isEqualTo(plan);
        assertThat(plan.toBuilder().bare().build())
                .isEqualTo(new Plan(
                        "nightly",
                        target,
                        Scenario.getThenPost(),
                        7,
                        List.of(minute),
                        EngineSettings.of("events"),
                        true,
                        9,
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        Part.WHOLE,
                        List.of(),
                        Optional.empty(),
                        Optional.of(SIGNER)));
    }

    @Test
    void isImmutable() {
        List<Phase> phases = new ArrayList<>(List.of(PEAK));
        Map<String, String> labels = new LinkedHashMap<>(Map.of("build", "1"));
        Plan plan = new Plan(
                "run",
                Target.of(SERVER),
                Scenario.getThenPost(),
                1,
                phases,
                EngineSettings.THREADS,
                false,
                1,
                labels,
                Optional.empty(),
                List.of(),
                Part.WHOLE,
                List.of(),
                Optional.empty(),
                Optional.empty());

        phases.clear();
        labels.clear();

        assertThat(plan.phases()).containsExactly(PEAK);
        assertThat(plan.labels()).containsExactly(Map.entry("build", "1"));
        assertThatThrownBy(() -> plan.phases().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> plan.labels().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
