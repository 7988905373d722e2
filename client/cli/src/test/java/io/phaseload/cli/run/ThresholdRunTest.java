package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Thresholds from the command line to the exit code and the files. */
@Tag("slow")
class ThresholdRunTest {

    @TempDir
    private Path folder;

    /** POSTs fail. */
    @RegisterExtension
    final RecordingServer server =
            RecordingServer.start(request -> request.method().equals("POST") ? 503 : 200);

    @Test
    void allThatHoldPass() throws Exception {
        Cli run = run("out", "--threshold", "p50 < 10s", "--threshold", "peak/GET /: failures < 1");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("\nThresholds: 0 of 2 failed\n")
                .containsPattern("  PASS +p50 < 10s +[0-9.]+ ms +[0-9.]+ to [0-9.]+ +60 +[0-9]+\n")
                .containsPattern("  PASS +peak/GET /: failures < 1 +0 *\n");
        assertThat(folder.resolve("out/summary.md"))
                .content()
                .contains("all thresholds held", "| PASS | peak/GET /: failures \\< 1 | 0 |");
    }

    @Test
    void oneThatFailsIs99AndInEveryFile() throws Exception {
        Cli run = run("out", "--threshold", "failures < 1%", "--threshold", "p99.99 < 10s");

        assertThat(run.code()).isEqualTo(ExitCode.THRESHOLD_FAILED);
        assertThat(run.out())
                .contains("\nThresholds: 1 of 2 failed, 1 undecided\n")
                .containsPattern("  FAIL +failures < 1% +50.00 % +3[0-9.]+ to 6[0-9.]+ +60 +60\n")
                .containsPattern("  UNDECIDED +p99.99 < 10s +n too small: 60 samples, 56647 needed +[0-9.]+ to ∞")
                .contains("\nUndecided thresholds: p99.99 < 10s (");
        assertThat(folder.resolve("out/summary.md"))
                .content()
                .contains("thresholds: 1 of 2 failed, 1 undecided", "| **FAIL** | failures \\< 1% | 50.00 % |");
        JsonNode thresholds = result("out").get("thresholds");
        assertThat(thresholds.get(0).get("expression").asString()).isEqualTo("failures < 1%");
        assertThat(thresholds.get(0).get("phase").isNull()).isTrue();
        assertThat(thresholds.get(0).get("observed").asDouble()).isEqualTo(50);
        assertThat(thresholds.get(0).get("unit").asString()).isEqualTo("%");
        assertThat(thresholds.get(0).get("passed").asBoolean()).isFalse();
        assertThat(thresholds.get(1).get("observed").isNull()).isTrue();
        assertThat(thresholds.get(1).get("reason").asString()).startsWith("n too small");
        assertThat(thresholds.get(1).get("outcome").asString()).isEqualTo("UNDECIDED");
        assertThat(thresholds.get(1).at("/evidence/high").isNull()).isTrue();
        assertThat(thresholds.get(1).at("/evidence/samples").asInt()).isEqualTo(60);
        assertThat(result("out").at("/plan/thresholds").size()).isEqualTo(2);
    }

    /** A median of a millisecond isn't 10 s, as half a second of requests shows. */
    @Test
    void aPhaseEndsOnceAllAreDecided() throws Exception {
        Cli run = Cli.run(
                "--url",
                server.url(),
                "--phases",
                "peak=1 for 1s at 100/s",
                "--get",
                "/",
                "--threshold",
                "p50 < 10s",
                "--until-decided",
                "60s",
                "-o",
                folder.resolve("out"));

        assertThat(run.code()).isZero();
        JsonNode result = result("out");
        assertThat(result.at("/changes/0/origin").asString()).isEqualTo("decided");
        assertThat(result.at("/phases/0/wallSeconds").asDouble()).isLessThan(30);
        assertThat(result.at("/phases/0/notSent").size()).isZero();
        assertThat(result.at("/thresholds/0/evidence/coverage").asDouble()).isGreaterThan(0.99);
    }

    @Test
    void undecidedIs6() throws Exception {
        Cli run = run("out", "--threshold", "p99 < 10s");

        assertThat(run.code()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(Cli.run("report", folder.resolve("out")).code()).isEqualTo(ExitCode.UNDECIDED);
    }

    /** With warmup's requests there would be more. */
    @Test
    void warmupCountsOnlyWhereItIsNamed() throws Exception {
        Cli run = run("out", "--threshold", "requests <= 60", "--threshold", "warmup: requests > 0");

        assertThat(run.code()).isZero();
    }

    @Test
    void areJudgedAgainFromTheFolder() throws Exception {
        run("out", "--threshold", "peak: failures < 1%", "--threshold", "loading: requests > 1");

        Cli report = Cli.run("report", folder.resolve("out"));
        assertThat(report.code()).isEqualTo(99);
        assertThat(report.out()).isEqualTo(Files.readString(folder.resolve("out/report.txt")));

        Cli loading = Cli.run("report", folder.resolve("out"), "--only", "loading");
        assertThat(loading.code()).isZero();
        assertThat(loading.out()).contains("Thresholds: 0 of 1 failed").doesNotContain("peak: failures < 1%");
    }

    @Test
    void areJudgedAgainForMergedRuns() throws Exception {
        run("a", "--threshold", "requests <= 60", "--threshold", "p50 < 10s");
        run("b", "--threshold", "requests <= 60");

        Cli merge = Cli.run("merge", folder.resolve("a"), folder.resolve("b"), "-o", folder.resolve("all"));

        assertThat(merge.code()).isEqualTo(99);
        JsonNode thresholds = result("all").get("thresholds");
        assertThat(thresholds.size()).isEqualTo(1);
        assertThat(thresholds.get(0).get("observed").asInt()).isEqualTo(120);
    }

    @Test
    void oneOfARunWithoutResponsesNeverPasses() throws Exception {
        Path out = folder.resolve("out");
        server.close();

        Cli run = Cli.run("--url", server.url(), "--once", "--threshold", "failures <= 100%", "-o", out);

        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        assertThat(out.resolve("result.json")).isNotEmptyFile();
    }

    @Test
    void aMistakeIsPointedAtBeforeAnythingStarts() {
        Cli run = run("out", "--threshold", "peak: p98 < 1s");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().strip())
                .startsWith("--threshold 'peak: p98 < 1s': expected mean, min, p50")
                .endsWith("at character 7, found 'p98 < 1s'");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(server.received()).isEmpty();

        assertThat(run("out", "--threshold", "peek: p95 < 1s").err().strip())
                .isEqualTo("--threshold 'peek: p95 < 1s': expected a phase of warmup, loading, peak");
    }

    /** Takes the ten seconds that a window lasts. */
    @Test
    void abortEndsTheRun() throws Exception {
        Cli run = Cli.run(
                "--url",
                server.url(),
                "--phases",
                "warmup=1 for 1s, peak=1 for 60s, more=1",
                "-c",
                2,
                "--get",
                "/",
                "--post",
                "/",
                "--think",
                "100ms",
                "--threshold",
                "failures < 90% abort",
                "--threshold",
                "failures < 10% abort",
                "-o",
                folder.resolve("out"));

        assertThat(run.code()).isEqualTo(99);
        assertThat(run.out())
                .contains("\n  The threshold 'failures < 10% abort' ended the run, so phases")
                .containsPattern(
                        "  FAIL +failures < 10% abort +[0-9.]+ %; [0-9.]+ % over 1[01].[0-9] s" + " ended the run ");
        JsonNode result = result("out");
        assertThat(result.at("/phases/1/wallSeconds").asDouble()).isBetween(10.0, 30.0);
        assertThat(result.at("/phases/2/requests").asLong()).isZero();
        assertThat(result.at("/interrupted").asBoolean()).isTrue();
        assertThat(result.at("/thresholds/0/aborted").asBoolean()).isFalse();
        assertThat(result.at("/thresholds/1/aborted").asBoolean()).isTrue();
        Cli report = Cli.run("report", folder.resolve("out"), "--json");
        assertThat(report.code()).isEqualTo(99);
        assertThat(report.json().get("thresholds")).isEqualTo(result.get("thresholds"));
        assertThat(report.json().get("verdict")).isEqualTo(result.get("verdict"));
    }

    private Cli run(String name, Object... more) {
        return Cli.run(Stream.concat(
                        Stream.of(
                                "--url",
                                server.url(),
                                "--phases",
                                "warmup=1,loading=0.5,peak=1",
                                "-c",
                                2,
                                "-n",
                                10,
                                "--get",
                                "/",
                                "--post",
                                "/",
                                "-o",
                                folder.resolve(name)),
                        Stream.of(more))
                .toArray());
    }

    private JsonNode result(String name) throws Exception {
        return Cli.json(Files.readString(folder.resolve(name).resolve("result.json")));
    }
}
