package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.plan.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What changed between runs is told with its certainty, and only where it can be told. */
@Tag("slow")
class CompareTest {

    private static final MadeUpRun BASE = MadeUpRun.ofPeak();

    @TempDir
    private static Path shared;

    private static Path trials;
    private static Path slower;
    private static Path run;

    @TempDir
    private Path folder;

    @BeforeAll
    static void write() throws IOException {
        trials = BASE.writeTrials(shared.resolve("a"));
        slower = BASE.mean(12).seed(50).writeTrials(shared.resolve("b"));
        run = BASE.write(shared.resolve("run"));
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    @Test
    void trialsThatAreSlowerAreWorse() throws Exception {
        Cli compare = Cli.run("compare", trials, slower, "--json", "--only", "peak");

        assertThat(compare.code()).isZero();
        for (String figure : List.of("p50", "p95", "p99")) {
            JsonNode change = Changes.of(compare).of("GET /", figure);
            assertThat(change.path("word").asString()).as(figure).isEqualTo("worse");
            assertThat(change.path("change").asDouble()).isBetween(16.0, 24.0);
            assertThat(change.path("changeLow").asDouble()).isBetween(5.0, 19.9);
            assertThat(change.path("changeHigh").asDouble()).isBetween(20.1, 35.0);
        }
        // ln 2 of a mean of 10 and of 12 ms.
        assertThat(Changes.of(compare).of("GET /", "p50").path("before").asDouble())
                .isBetween(6.8, 7.1);
        assertThat(Changes.of(compare).of("GET /", "p50").path("after").asDouble())
                .isBetween(8.1, 8.5);
        assertThat(Changes.of(compare).of("GET /", "throughput").path("word").asString())
                .isEqualTo("same");
        assertThat(Changes.of(compare).of(null, "failed").path("word").asString())
                .isEqualTo("same");
        assertThat(compare.json().at("/comparisons/0/changes")).hasSize(15);
        assertThat(compare.json().at("/comparisons/0/a/trials")).hasSize(3);
        assertThat(Cli.run("compare", slower, trials).out()).contains("Worse: 0, better: 9, same: 6");
    }

    @Test
    void aRegressionBeyondTheLimitIsExitCode5() throws Exception {
        Cli fails = Cli.run("compare", trials, slower, "--fail-on-regression", "5%");
        assertThat(fails.code()).isEqualTo(ExitCode.REGRESSION);
        assertThat(fails.err().lines())
                .hasSize(9)
                .first()
                .asString()
                .matches("Regression in .*b: peak GET / p50: \\+\\d+\\.\\d %, at least"
                        + " \\+\\d+\\.\\d %; the limit is 5 %\\.");
        assertThat(fails.out()).doesNotContain("Regression");

        assertThat(Cli.run("compare", trials, slower, "--fail-on-regression=30%")
                        .code())
                .isZero();
        assertThat(Cli.run("compare", slower, trials, "--fail-on-regression=5%").code())
                .isZero();
        assertThat(Cli.run("compare", trials, trials, "--fail-on-regression=0%").code())
                .isZero();
    }

    @Test
    void aLowerThroughputIsWorse() throws Exception {
        Path b = BASE.requests(400).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", run, b, "--json", "--fail-on-regression", "10%");

        assertThat(compare.code()).isEqualTo(ExitCode.REGRESSION);
        JsonNode change = Changes.of(compare).of(null, "throughput");
        assertThat(change.path("before").asDouble()).isEqualTo(1_000);
        assertThat(change.path("after").asDouble()).isEqualTo(800);
        assertThat(change.path("word").asString()).isEqualTo("worse");
        assertThat(change.path("regression").asBoolean()).isTrue();
        assertThat(Changes.of(compare).of(null, "failed").path("regression").asBoolean())
                .isFalse();
    }

    @Test
    void moreFailuresAreWorseInPoints() throws Exception {
        Path b = BASE.failed(2).seed(50).writeTrials(path("b"));

        Cli compare = Cli.run("compare", trials, b, "--json", "--fail-on-regression", "50%");

        assertThat(compare.code()).isEqualTo(ExitCode.REGRESSION);
        JsonNode change = Changes.of(compare).of(null, "failed");
        assertThat(change.path("word").asString()).isEqualTo("worse");
        assertThat(change.path("changeUnit").asString()).isEqualTo("points");
        assertThat(change.path("change").asDouble()).isBetween(1.8, 2.2);
        assertThat(compare.err())
                .contains("failed: +")
                .contains(" points; the limit is 0.1 points.")
                .hasLineCount(3);
        Cli lenient = Cli.run("compare", trials, b, "--json", "--failures-tolerance", "5%");
        assertThat(Changes.of(lenient).of(null, "failed").path("word").asString())
                .isEqualTo("same");
    }

    @Test
    void aSingleRunIsComparedByItsSeconds() throws Exception {
        Path b = BASE.mean(12).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", run, b);

        assertThat(compare.code()).isZero();
        assertThat(compare.out())
                .contains("A is one run: its intervals show how it varied within")
                .contains("B is one run: ")
                .containsPattern("peak +GET / +p50 ms +\\d.* worse\n")
                .containsPattern("peak +\\(all\\) +throughput rps +1000\\.0 +1000\\.0 .* same\n");
    }

    @Test
    void failuresOfASingleRunAreInPercent() throws Exception {
        Path b = BASE.failed(2).seed(50).write(path("b"));

        JsonNode change = Changes.of(Cli.run("compare", run, b, "--json")).of(null, "failed");

        assertThat(change.path("before").asDouble()).isZero();
        assertThat(change.path("after").asDouble()).isBetween(1.8, 2.2);
        assertThat(change.path("changeLow").asDouble()).isBetween(1.4, 1.95);
        assertThat(change.path("changeHigh").asDouble()).isBetween(2.05, 2.6);
        assertThat(change.path("word").asString()).isEqualTo("worse");
    }

    @Test
    void anUndecidedChangeHasItsReason() throws Exception {
        Path a = BASE.lasting(5).requests(110).write(path("a"));
        Path b = BASE.lasting(5).requests(110).mean(50).seed(50).write(path("b"));

        Cli compare = Cli.run("compare", a, b, "--json", "--fail-on-regression", "5%");

        assertThat(compare.code()).isZero();
        JsonNode median = Changes.of(compare).of("GET /", "p50");
        assertThat(median.path("word").asString()).isEqualTo("undecided");
        assertThat(median.path("reason").asString()).isEqualTo("A: 5 intervals, 10 needed");
        assertThat(median.path("before").asDouble()).isPositive();
        assertThat(median.path("change").isNull()).isTrue();
        JsonNode p99 = Changes.of(compare).of("GET /", "p99");
        assertThat(p99.path("reason").asString()).isEqualTo("A: n too small");
        assertThat(p99.path("before").isNull()).isTrue();
        assertThat(Cli.run("compare", a, b).out()).contains("undecided (A: 5 intervals, 10 needed)\n");
    }

    @Test
    void isWrittenAsTextAndAsMarkdown() throws Exception {
        MadeUpRun one = MadeUpRun.of(MadeUpRun.planned()
                        .phases(MadeUpRun.PEAK)
                        .operations(Operation.get("/").named("a|b")))
                .requests(1_000);
        Path a = one.writeTrials(path("a"));
        Path b = one.mean(12).seed(50).writeTrials(path("b"));

        String text = Cli.run("compare", a, b).out();
        assertThat(text)
                .startsWith(
                        """
                        A: %s (3 trials)
                        B: %s (3 trials)
                        Same: within 5 %% (failures: 0.1 points) with 95 %% confidence.

                        phase  operation  figure"""
                                .formatted(a, b))
                .containsPattern("\npeak   a\\|b +p50 ms +\\d\\.\\d{3} +\\d\\.\\d{3} +\\+\\d+\\.\\d % +"
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
        assertThat(markdown.lines().filter(line -> line.endsWith("| **worse** |")))
                .hasSize(3);
    }
}
