package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Help;
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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What changed between runs is told with its certainty, and only where it can be told. */
class CompareTest {

    private static final List<Double> NOISE = List.of(0.99, 1.01, 1.0);

    @TempDir private Path folder;
    @RegisterExtension final RecordingServer server = RecordingServer.start();

    private final MadeUpRun base = MadeUpRun.of(MadeUpRun.planned().phases(peak()));

    private static Phase peak() {
        return new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(20)));
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    /** Trials whose means are 1 % apart, as a folder of runs. */
    private Path trials(String name, MadeUpRun run) throws Exception {
        Path all = Files.createDirectory(path(name));
        MadeUpRun shorter = run.lasting(2).requests(run.requests() * run.seconds() / 2);
        for (int i = 0; i < NOISE.size(); i++) {
            shorter.mean(run.meanMillis() * NOISE.get(i))
                    .seed(run.seed() + i)
                    .write(all.resolve("trial-" + i));
        }
        return all;
    }

    @Test
    void trialsThatAreSlowerAreWorse() throws Exception {
        Path a = trials("a", base);
        Path b = trials("b", base.mean(12).seed(50));

        Cli compare = Cli.run("compare", a, b, "--json", "--only", "peak");

        assertThat(compare.code()).isZero();
        for (String figure : List.of("p50", "p95", "p99")) {
            JsonNode change = change(compare, "GET /", figure);
            assertThat(change.path("word").asString()).as(figure).isEqualTo("worse");
            assertThat(change.path("change").asDouble()).isBetween(16.0, 24.0);
            assertThat(change.path("changeLow").asDouble()).isBetween(5.0, 19.9);
            assertThat(change.path("changeHigh").asDouble()).isBetween(20.1, 35.0);
        }
        // ln 2 of a mean of 10 and of 12 ms.
        assertThat(change(compare, "GET /", "p50").path("before").asDouble()).isBetween(6.8, 7.1);
        assertThat(change(compare, "GET /", "p50").path("after").asDouble()).isBetween(8.1, 8.5);
        assertThat(change(compare, "GET /", "throughput").path("word").asString())
                .isEqualTo("same");
        assertThat(change(compare, null, "failed").path("word").asString()).isEqualTo("same");
        assertThat(compare.json().at("/comparisons/0/changes")).hasSize(15);
        assertThat(compare.json().at("/comparisons/0/a/trials")).hasSize(3);
        assertThat(Cli.run("compare", b, a).out()).contains("Worse: 0, better: 9, same: 6");
    }

    @Test
    void aRegressionBeyondTheLimitIsExitCode5() throws Exception {
        Path a = trials("a", base);
        Path b = trials("b", base.mean(12).seed(50));

        Cli fails = Cli.run("compare", a, b, "--fail-on-regression", "5%");
        assertThat(fails.code()).isEqualTo(ExitCode.REGRESSION);
        assertThat(fails.err().lines())
                .hasSize(9)
                .first()
                .asString()
                .matches(
                        "Regression in .*b: peak GET / p50: \\+\\d+\\.\\d %, at least"
                                + " \\+\\d+\\.\\d %; the limit is 5 %\\.");
        assertThat(fails.out()).doesNotContain("Regression");

        assertThat(Cli.run("compare", a, b, "--fail-on-regression=30%").code()).isZero();
        assertThat(Cli.run("compare", b, a, "--fail-on-regression=5%").code()).isZero();
        assertThat(Cli.run("compare", a, a, "--fail-on-regression=0%").code()).isZero();
    }

    @Test
    void aLowerThroughputIsWorse() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.requests(400).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", a, b, "--json", "--fail-on-regression", "10%");

        assertThat(compare.code()).isEqualTo(ExitCode.REGRESSION);
        JsonNode change = change(compare, null, "throughput");
        assertThat(change.path("before").asDouble()).isEqualTo(1_000);
        assertThat(change.path("after").asDouble()).isEqualTo(800);
        assertThat(change.path("word").asString()).isEqualTo("worse");
        assertThat(change.path("regression").asBoolean()).isTrue();
        assertThat(change(compare, null, "failed").path("regression").asBoolean()).isFalse();
    }

    @Test
    void moreFailuresAreWorseInPoints() throws Exception {
        Path a = trials("a", base);
        Path b = trials("b", base.failed(2).seed(50));

        Cli compare = Cli.run("compare", a, b, "--json", "--fail-on-regression", "50%");

        assertThat(compare.code()).isEqualTo(ExitCode.REGRESSION);
        JsonNode change = change(compare, null, "failed");
        assertThat(change.path("word").asString()).isEqualTo("worse");
        assertThat(change.path("changeUnit").asString()).isEqualTo("points");
        assertThat(change.path("change").asDouble()).isBetween(1.8, 2.2);
        assertThat(compare.err())
                .contains("failed: +")
                .contains(" points; the limit is 0.1 points.")
                .hasLineCount(3);
        Cli lenient = Cli.run("compare", a, b, "--json", "--failures-tolerance", "5%");
        assertThat(change(lenient, null, "failed").path("word").asString()).isEqualTo("same");
    }

    @Test
    void ofASingleRunTheSecondsAreTaken() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.mean(12).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", a, b);

        assertThat(compare.code()).isZero();
        assertThat(compare.out())
                .contains("A is one run: its intervals show how it varied within")
                .contains("B is one run: ")
                .containsPattern("peak +GET / +p50 ms +\\d.* worse\n")
                .containsPattern("peak +\\(all\\) +throughput rps +1000\\.0 +1000\\.0 .* same\n");
    }

    @Test
    void failuresOfASingleRunAreInPercent() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.failed(2).seed(50).write(path("b"));

        JsonNode change = change(Cli.run("compare", a, b, "--json"), null, "failed");

        assertThat(change.path("before").asDouble()).isZero();
        assertThat(change.path("after").asDouble()).isBetween(1.8, 2.2);
        assertThat(change.path("changeLow").asDouble()).isBetween(1.4, 1.95);
        assertThat(change.path("changeHigh").asDouble()).isBetween(2.05, 2.6);
        assertThat(change.path("word").asString()).isEqualTo("worse");
    }

    @Test
    void whatCantBeToldIsUndecidedWithItsReason() throws Exception {
        Path a = base.lasting(5).requests(110).write(path("a"));
        Path b = base.lasting(5).requests(110).mean(50).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", a, b, "--json", "--fail-on-regression", "5%");

        assertThat(compare.code()).isZero();
        JsonNode median = change(compare, "GET /", "p50");
        assertThat(median.path("word").asString()).isEqualTo("undecided");
        assertThat(median.path("reason").asString()).isEqualTo("A: 5 intervals, 10 needed");
        assertThat(median.path("before").asDouble()).isPositive();
        assertThat(median.path("change").isNull()).isTrue();
        JsonNode p99 = change(compare, "GET /", "p99");
        assertThat(p99.path("reason").asString()).isEqualTo("A: n too small");
        assertThat(p99.path("before").isNull()).isTrue();
        assertThat(Cli.run("compare", a, b).out())
                .contains("undecided (A: 5 intervals, 10 needed)\n");
    }

    @Test
    void warmupAndCooldownAreLeftOutUnlessTheyAreNamed() throws Exception {
        Path a = MadeUpRun.ofDefaultPlan().lasting(2).write(path("a"));
        Path b = MadeUpRun.ofDefaultPlan().lasting(2).seed(50).write(path("b"));

        assertThat(phases(Cli.run("compare", a, b, "--json"))).containsExactly("loading", "peak");
        assertThat(phases(Cli.run("compare", a, b, "--json", "--only", "cooldown,warmup")))
                .containsExactly("warmup", "cooldown");
    }

    @Test
    void whatDoesntChangeTheLoadMayDiffer() throws Exception {
        Path a = MadeUpRun.of(openPlan("http://one.example/", 1).label("x", "1")).write(path("a"));
        Path b =
                MadeUpRun.of(
                                openPlan("http://two.example/", 2)
                                        .threshold(Threshold.parse("peak: p99 < 1s"))
                                        .label("y", "2")
                                        .name("other"))
                        .write(path("b"));

        Cli compare = Cli.run("compare", a, b, "--json");

        assertThat(compare.code()).isZero();
        assertThat(compare.json().at("/comparisons/0/planDifferences")).isEmpty();
    }

    private static PlanBuilder openPlan(String url, long seed) {
        Load open =
                new Load.Open(new PoissonArrivals(Rate.parse("50/s"), seed), Load.Overload.QUEUE);
        PhaseLength length = new PhaseLength.Lasting(Duration.ofSeconds(20));
        return Plan.builder(URI.create(url))
                .scenario(Scenario.getThenPost())
                .seed(seed)
                .phases(new Phase("peak", 1, length, open));
    }

    static Stream<Arguments> differences() {
        return Stream.of(
                arguments(
                        MadeUpRun.planned().phases(peak()).threads(20),
                        "phases peak users: 10 and 20; threads: 10 and 20"),
                arguments(
                        MadeUpRun.planned().phases(peak()).responseTimeout(Duration.ofSeconds(1)),
                        "target responseTimeoutMs: 5000.0 and 1000.0"),
                arguments(
                        MadeUpRun.planned().phases(peak()).virtualThreads(true),
                        "virtualThreads: false and true"),
                arguments(
                        MadeUpRun.planned()
                                .phases(new Phase("peak", 1, new PhaseLength.Iterations(5))),
                        "phases peak durationMs: 20000.0 and none; phases peak iterations: none and"
                                + " 5"),
                arguments(
                        MadeUpRun.planned()
                                .phases(peak())
                                .operations(
                                        Operation.post("/", Scenario.DEFAULT_BODY),
                                        Operation.get("/")),
                        "operations: GET /, POST / and POST /, GET /"),
                arguments(
                        openPlan("http://localhost/", 1),
                        "phases peak load arrivals kind: none and poisson; phases peak load arrivals"
                                + " rate: none and 50/s; phases peak load model: closed and open;"
                                + " phases peak load overload: none and queue"));
    }

    @ParameterizedTest
    @MethodSource("differences")
    void runsOfAnotherPlanAreRefusedUnlessForced(PlanBuilder other, String differences)
            throws Exception {
        Path a = base.lasting(2).write(path("a"));
        Path b = MadeUpRun.of(other).lasting(2).write(path("b"));

        Cli refused = Cli.run("compare", a, b);
        assertThat(refused)
                .isEqualTo(
                        usage(
                                "compare %s %s: expected runs of the same plan, or --force; they"
                                                .formatted(a, b)
                                        + " differ in "
                                        + differences));

        Cli forced = Cli.run("compare", a, b, "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.out()).contains("The plans differ: " + differences + ".\n");
    }

    @Test
    void anInvalidMeasurementIsExitCode4UnlessForced() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.seed(50).write(path("b"));
        Path json = b.resolve("result.json");
        Files.writeString(
                json,
                Files.readString(json).replace("\"fault\" : null", "\"fault\" : \"Error: gone\""));

        Cli refused = Cli.run("compare", a, b);
        assertThat(refused.code()).isEqualTo(ExitCode.INVALID);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("compare " + b + ": its verdict is INVALID, --force compares it")
                .hasLineCount(1);
        Cli forced = Cli.run("compare", a, b, "--force");
        assertThat(forced.code()).isZero();
        assertThat(forced.out())
                .contains("B: 1 of 1 measurements aren't VALID; " + b + " is INVALID: The client");
    }

    @Test
    void everyOtherSideIsComparedWithTheFirst() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.seed(50).write(path("b"));
        Path c = base.mean(20).seed(60).write(path("c"));

        Cli compare = Cli.run("compare", a, b, c, "--json");

        assertThat(compare.json().path("comparisons")).hasSize(2);
        assertThat(compare.json().at("/comparisons/1/a/name").asString()).isEqualTo(a.toString());
        assertThat(compare.json().at("/comparisons/1/b/name").asString()).isEqualTo(c.toString());
    }

    @Test
    void trialsMayBeNamedWithCommas() throws Exception {
        Path all = trials("with,comma", base);
        String commas = all.resolve("trial-0") + "," + all.resolve("trial-2");
        // Each of these has a comma in its own name, so only the last is what it says.
        assertThat(Cli.run("compare", commas, all).code()).isEqualTo(ExitCode.USAGE);

        Path a = base.write(path("a"));
        Path b = base.seed(50).write(path("b"));
        Path c = base.seed(60).write(path("c"));
        Cli compare = Cli.run("compare", a + "," + b, c, "--json");
        assertThat(compare.json().at("/comparisons/0/a/trials")).hasSize(2);
        assertThat(compare.json().at("/comparisons/0/b/trials")).hasSize(1);
    }

    @Test
    void differentClientsAreNamed() throws Exception {
        Path a = base.write(path("a"));
        Path b = base.on("bench-2", "25.0.3").seed(50).write(path("b"));
        assertThat(Cli.run("compare", a, b).out())
                .contains("The clients differ in host: bench-1, bench-2.\n")
                .contains("The clients differ in Java: 17.0.15, 25.0.3.\n")
                .doesNotContain("differ in cores");
    }

    @Test
    void isWrittenAsTextAndAsMarkdown() throws Exception {
        MadeUpRun one =
                MadeUpRun.of(
                                MadeUpRun.planned()
                                        .phases(peak())
                                        .operations(Operation.get("/").named("a|b")))
                        .requests(1_000);
        Path a = trials("a", one);
        Path b = trials("b", one.mean(12).seed(50));

        String text = Cli.run("compare", a, b).out();
        assertThat(text)
                .startsWith(
                        """
                        A: %s (3 trials)
                        B: %s (3 trials)
                        Same: within 5 %% (failures: 0.1 points) with 95 %% confidence.

                        phase  operation  figure"""
                                .formatted(a, b))
                .containsPattern(
                        "\npeak   a\\|b +p50 ms +\\d\\.\\d{3} +\\d\\.\\d{3} +\\+\\d+\\.\\d % +"
                                + "\\+\\d+\\.\\d to \\+\\d+\\.\\d % +worse\n")
                .containsPattern("\npeak   a\\|b +throughput rps +10000\\.0 +10000\\.0 +\\+0\\.0 %")
                .containsPattern("failed % +0\\.00 +0\\.00 +\\+0\\.00 points")
                .endsWith("\n\nWorse: 3, better: 0, same: 2, undecided: 0.\n");

        String markdown = Cli.run("compare", a, b, "--markdown").out();
        assertThat(markdown)
                .startsWith(
                        """
                        ## Phaseload: %s against %s

                        **Worse: 3, better: 0, same: 2, undecided: 0.**

                        - A: %s (3 trials)
                        - B: %s (3 trials)
                        - Same: within 5 %% (failures: 0.1 points) with 95 %% confidence.

                        | phase | operation | figure | A | B | change | 95 %% interval | word |
                        |---|---|---|---:|---:|---:|---:|---|
                        | peak | a\\|b | p50 ms |"""
                                .formatted(b, a, a, b));
        assertThat(markdown.lines().filter(line -> line.startsWith("| peak")))
                .hasSize(5)
                .allSatisfy(line -> assertThat(line.split("(?<!\\\\)\\|")).hasSize(9));
        assertThat(markdown.lines().filter(line -> line.endsWith("| **worse** |"))).hasSize(3);
    }

    @Test
    void realRunsAreCompared() throws Exception {
        for (String name : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
            Cli run =
                    Cli.run(
                            "--url",
                            server.url(),
                            "-c",
                            2,
                            "-n",
                            30,
                            "--get",
                            "/",
                            "--post",
                            "/",
                            "--quiet",
                            "-o",
                            path(name));
            assertThat(run.code()).isZero();
        }
        Cli compare =
                Cli.run(
                        "compare",
                        path("a1") + "," + path("a2") + "," + path("a3"),
                        path("b1") + "," + path("b2") + "," + path("b3"),
                        "--json");
        assertThat(compare.code()).isZero();
        JsonNode median = change(compare, null, "p50");
        assertThat(median.path("change").isNumber()).isTrue();
        assertThat(median.path("before").asDouble()).isPositive();
        assertThat(change(compare, null, "failed").path("after").asDouble()).isZero();
    }

    @Test
    void wantsTwoRuns() throws Exception {
        Path a = base.write(path("a"));
        assertThat(Cli.run("compare", a))
                .isEqualTo(usage("compare: expected two or more results folders"));
        assertThat(Cli.run("compare", a, path("none")).err())
                .startsWith("compare " + path("none") + ": expected a results folder: ")
                .hasLineCount(1);
        assertThat(Cli.run("compare", a, "").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Cli.run("compare", a, a, "--only", "peek"))
                .isEqualTo(usage("--only peek: expected some of peak"));
        assertThat(Cli.run("compare", a, a, "--json", "--markdown"))
                .isEqualTo(usage("--json cannot be combined with --markdown"));
        String percentage = ": expected a percentage from 0% to 100%, such as 5% or 0.1%";
        assertThat(Cli.run("compare", a, a, "--fail-on-regression", "5"))
                .isEqualTo(usage("--fail-on-regression 5" + percentage));
        assertThat(Cli.run("compare", a, a, "--tolerance", "101%"))
                .isEqualTo(usage("--tolerance 101%" + percentage));
        assertThat(Cli.run("compare", a, a, "--tolerance=6%", "--fail-on-regression=5%"))
                .isEqualTo(
                        usage(
                                "--tolerance 6.0%: expected at most that of --fail-on-regression,"
                                        + " 5.0%"));
        assertThat(Cli.run("compare", "--help"))
                .isEqualTo(new Cli(0, Help.full(CompareCommand.HELP), ""));
    }

    private static JsonNode change(Cli compare, String operation, String figure) {
        return changes(compare)
                .filter(
                        change ->
                                operation == null
                                        ? change.path("operation").isNull()
                                        : change.path("operation").asString().equals(operation))
                .filter(change -> change.path("figure").asString().equals(figure))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> phases(Cli compare) {
        return changes(compare).map(change -> change.path("phase").asString()).distinct().toList();
    }

    private static Stream<JsonNode> changes(Cli compare) {
        JsonNode changes = compare.json().at("/comparisons/0/changes");
        return StreamSupport.stream(changes.spliterator(), false);
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
