package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Threshold;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Which runs can be compared, and how they are named. */
@Tag("slow")
class ComparedRunsTest {

    private static final MadeUpRun BASE = MadeUpRun.ofPeak().lasting(12);

    @TempDir
    private static Path shared;

    private static Path a;
    private static Path b;

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @BeforeAll
    static void write() throws IOException {
        a = BASE.write(shared.resolve("a"));
        b = BASE.seed(50).write(shared.resolve("b"));
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    @Test
    void warmupAndCooldownAreLeftOutUnlessTheyAreNamed() throws Exception {
        Path one = MadeUpRun.ofDefaultPlan().lasting(2).write(path("one"));
        Path two = MadeUpRun.ofDefaultPlan().lasting(2).seed(50).write(path("two"));

        assertThat(Changes.of(Cli.run("compare", one, two, "--json")).phases()).containsExactly("loading", "peak");
        assertThat(Changes.of(Cli.run("compare", one, two, "--json", "--only", "cooldown,warmup"))
                        .phases())
                .containsExactly("warmup", "cooldown");
    }

    @Test
    void whatDoesntChangeTheLoadMayDiffer() throws Exception {
        Path one = MadeUpRun.of(openPlan("http://one.example/", 1).label("x", "1"))
                .lasting(2)
                .write(path("one"));
        Path two = MadeUpRun.of(openPlan("http://two.example/", 2)
                        .threshold(Threshold.parse("peak: p99 < 1s"))
                        .label("y", "2")
                        .name("other"))
                .lasting(2)
                .write(path("two"));

        Cli compare = Cli.run("compare", one, two, "--json");

        assertThat(compare.code()).isZero();
        assertThat(compare.json().at("/comparisons/0/planDifferences")).isEmpty();
    }

    private static PlanBuilder openPlan(String url, long seed) {
        Load open = new Load.Open(new PoissonArrivals(Rate.parse("50/s"), seed), Load.Overload.QUEUE);
        PhaseLength length = new PhaseLength.Lasting(Duration.ofSeconds(20));
        return Plan.builder(URI.create(url))
                .scenario(Scenario.getThenPost())
                .seed(seed)
                .phases(new Phase("peak", 1, length, open));
    }

    static Stream<Arguments> differences() {
        return Stream.of(
                arguments(
                        MadeUpRun.planned().phases(MadeUpRun.PEAK).threads(20),
                        "phases peak users: 10 and 20; threads: 10 and 20"),
                arguments(
                        MadeUpRun.planned().phases(MadeUpRun.PEAK).responseTimeout(Duration.ofSeconds(1)),
                        "target responseTimeoutMs: 5000.0 and 1000.0"),
                arguments(
                        MadeUpRun.planned().phases(MadeUpRun.PEAK).virtualThreads(true),
                        "virtualThreads: false and true"),
                arguments(
                        MadeUpRun.planned().phases(new Phase("peak", 1, new PhaseLength.Iterations(5))),
                        "phases peak durationMs: 20000.0 and none; phases peak iterations: none and" + " 5"),
                arguments(
                        MadeUpRun.planned()
                                .phases(MadeUpRun.PEAK)
                                .operations(Operation.post("/", Scenario.DEFAULT_BODY), Operation.get("/")),
                        "operations: GET /, POST / and POST /, GET /"),
                arguments(
                        openPlan("http://localhost/", 1),
                        "phases peak load arrivals kind: none and poisson; phases peak load arrivals"
                                + " rate: none and 50/s; phases peak load model: closed and open;"
                                + " phases peak load overload: none and queue"));
    }

    @ParameterizedTest
    @MethodSource("differences")
    void runsOfAnotherPlanAreRefusedUnlessForced(PlanBuilder other, String differences) throws Exception {
        Path c = MadeUpRun.of(other).lasting(2).write(path("c"));

        Cli refused = Cli.run("compare", a, c);
        assertThat(refused)
                .isEqualTo(usage("compare %s %s: expected runs of the same plan, or --force; they".formatted(a, c)
                        + " differ in "
                        + differences));

        Cli forced = Cli.run("compare", a, c, "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.out()).contains("The plans differ: " + differences + ".\n");
    }

    @Test
    void anInvalidMeasurementIsExitCode4UnlessForced() throws Exception {
        Path gone = BASE.seed(50).write(path("gone"));
        Path json = gone.resolve("result.json");
        Files.writeString(json, Files.readString(json).replace("\"fault\" : null", "\"fault\" : \"Error: gone\""));

        Cli refused = Cli.run("compare", a, gone);
        assertThat(refused.code()).isEqualTo(ExitCode.INVALID);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("compare " + gone + ": its verdict is INVALID, --force compares it")
                .hasLineCount(1);
        Cli forced = Cli.run("compare", a, gone, "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.out()).contains("B: 1 of 1 measurements aren't VALID; " + gone + " is INVALID: The client");
    }

    @Test
    void everyOtherSideIsComparedWithTheFirst() throws Exception {
        Path c = BASE.mean(20).seed(60).write(path("c"));

        Cli compare = Cli.run("compare", a, b, c, "--json");

        assertThat(compare.json().path("comparisons")).hasSize(2);
        assertThat(compare.json().at("/comparisons/1/a/name").asString()).isEqualTo(a.toString());
        assertThat(compare.json().at("/comparisons/1/b/name").asString()).isEqualTo(c.toString());
    }

    @Test
    void trialsMayBeNamedWithCommas() throws Exception {
        Path all = BASE.writeTrials(path("with,comma"));
        String commas = all.resolve("trial-0") + "," + all.resolve("trial-2");
        // Each of these has a comma in its own name, so only the last is what it says.
        assertThat(Cli.run("compare", commas, all).code()).isEqualTo(ExitCode.USAGE);

        Path c = BASE.seed(60).write(path("c"));
        Cli compare = Cli.run("compare", a + "," + b, c, "--json");
        assertThat(compare.json().at("/comparisons/0/a/trials")).hasSize(2);
        assertThat(compare.json().at("/comparisons/0/b/trials")).hasSize(1);
    }

    @Test
    void differentClientsAreNamed() throws Exception {
        Path c = BASE.on("bench-2", "25.0.3").seed(50).write(path("c"));
        assertThat(Cli.run("compare", a, c).out())
                .contains("The clients differ in host: bench-1, bench-2.\n")
                .contains("The clients differ in Java: 17.0.15, 25.0.3.\n")
                .doesNotContain("differ in cores");
    }

    @Test
    void realRunsAreCompared() throws Exception {
        for (String name : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
            Cli run = Cli.run(
                    "--url",
                    server.url(),
                    "-c",
                    2,
                    "-n",
                    30,
                    "--phases",
                    "peak=1",
                    "--get",
                    "/",
                    "--post",
                    "/",
                    "--quiet",
                    "-o",
                    path(name));
            assertThat(run.code()).isZero();
        }
        Cli compare = Cli.run(
                "compare",
                path("a1") + "," + path("a2") + "," + path("a3"),
                path("b1") + "," + path("b2") + "," + path("b3"),
                "--json");
        assertThat(compare.code()).isZero();
        JsonNode median = Changes.of(compare).of(null, "p50");
        assertThat(median.path("change").isNumber()).isTrue();
        assertThat(median.path("before").asDouble()).isPositive();
        assertThat(Changes.of(compare).of(null, "failed").path("after").asDouble())
                .isZero();
    }

    @Test
    void wantsTwoRuns() throws Exception {
        assertThat(Cli.run("compare", a)).isEqualTo(usage("compare: expected two or more results folders"));
        assertThat(Cli.run("compare", a, path("none")).err())
                .startsWith("compare " + path("none") + ": expected a results folder: ")
                .hasLineCount(1);
        assertThat(Cli.run("compare", a, "").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Cli.run("compare", a, a, "--only", "peek")).isEqualTo(usage("--only peek: expected some of peak"));
        assertThat(Cli.run("compare", a, a, "--json", "--markdown"))
                .isEqualTo(usage("--json cannot be combined with --markdown"));
        String percentage = ": expected a percentage from 0% to 100%, such as 5% or 0.1%";
        assertThat(Cli.run("compare", a, a, "--fail-on-regression", "5"))
                .isEqualTo(usage("--fail-on-regression 5" + percentage));
        assertThat(Cli.run("compare", a, a, "--tolerance", "101%")).isEqualTo(usage("--tolerance 101%" + percentage));
        assertThat(Cli.run("compare", a, a, "--tolerance=6%", "--fail-on-regression=5%"))
                .isEqualTo(usage("--tolerance 6.0%: expected at most --fail-on-regression, which is" + " 5.0%"));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
