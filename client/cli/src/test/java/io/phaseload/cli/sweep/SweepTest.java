package io.phaseload.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.ResultSchema;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sweeps against real servers: what is sent, and what is kept. */
@Tag("slow")
class SweepTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final EventStore store = new EventStore();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli sweep(Object... more) {
        List<Object> line = new ArrayList<>(List.of("sweep", "--out", out, "--warmup", "0s"));
        line.addAll(List.of(more));
        return Cli.run(line.toArray());
    }

    private Cli events(Object... more) {
        return store.sweep(out, more);
    }

    private List<TrialRow> rows() throws IOException {
        return TrialCsv.read(out).rows();
    }

    private JsonNode json() throws IOException {
        String json = Files.readString(out.resolve("sweep.json"));
        ResultSchema.assertValidSweep(json);
        return Cli.json(json);
    }

    @Test
    void aTrialIsCleanedUpAfterAndItsMetricIsKept() throws Exception {
        Cli run = events("--param", "count=1,100", "--trials", 2, "--label", "events={count}");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(store.log())
                .hasSize(4 * 3)
                .startsWith(
                        "GET /insert/1",
                        "DELETE /data",
                        "POST /clean {\"token\": \"t1\"}",
                        "GET /insert/100",
                        "DELETE /data",
                        "POST /clean {\"token\": \"t2\"}",
                        "GET /insert/100");
        assertThat(rows())
                .extracting(
                        row -> row.text("step"),
                        row -> row.text("trial"),
                        row -> row.text("events"),
                        row -> row.text("operation"),
                        row -> row.number("elapsed").orElse(-1))
                .containsExactly(
                        tuple("1", "1", "1", "GET /insert/{count}", 1.0),
                        tuple("2", "1", "100", "GET /insert/{count}", 100.0),
                        tuple("2", "2", "100", "GET /insert/{count}", 100.0),
                        tuple("1", "2", "1", "GET /insert/{count}", 1.0));
        assertThat(json().at("/steps/1/operations/0/figures/elapsed/median").asDouble())
                .isEqualTo(100);
        assertThat(out.resolve("step-02/trial-2/result.json")).isRegularFile();
        ResultSchema.assertValid(Files.readString(out.resolve("step-02/trial-2/result.json")));
        assertThat(out.resolve("step-02/trial-2/report.html")).isRegularFile();
        assertThat(Files.readString(out.resolve("report.html"))).contains("href=\"./step-02/trial-2/report.html\"");
        Path elsewhere = out.resolveSibling("elsewhere.html");
        assertThat(Cli.run("report", out, "--html", elsewhere).code()).isZero();
        assertThat(Files.readString(elsewhere))
                .contains("href=\"./%s/step-02/trial-2/report.html\"".formatted(out.getFileName()));

        Cli described = Cli.run("describe", out, "--by", "events", "--figures", "elapsed", "--csv");
        assertThat(described.outLines())
                .containsExactly(
                        "events,operation,figure,count,mean,std,min,25%,50%,75%,max",
                        "1,GET /insert/{count},elapsed,2,1.000000,0.000000,1.000000,1.000000,"
                                + "1.000000,1.000000,1.000000",
                        "100,GET /insert/{count},elapsed,2,100.000000,0.000000,100.000000,"
                                + "100.000000,100.000000,100.000000,100.000000");
    }

    @Test
    void aRequestBeforeATrialIsOneOfIt() throws Exception {
        assertThat(events("--param", "count=5", "--before", "GET /insert/2").code())
                .isEqualTo(3);
        // What was there already made the measured one fail: data, not the end.
        assertThat(store.log()).startsWith("GET /insert/2", "GET /insert/5", "DELETE /data");
        assertThat(rows().get(0).text("failed_percent")).isEqualTo("100.000000");
        assertThat(rows().get(0).isOk()).isTrue();
    }

    @Test
    void aStepThatFailsIsARowAndTheSweepGoesOn() throws Exception {
        Cli run = events(
                "--param",
                "count=1,13,2",
                "--before",
                "GET /insert/{count}",
                "--after",
                "DELETE /data",
                "--take",
                "x=/nothing");

        assertThat(run.code()).isEqualTo(3);
        assertThat(rows())
                .extracting(row -> row.text("status"), row -> row.text("reason"))
                .containsExactly(
                        tuple("failed", "after DELETE /data: its response has no such value, take x=/nothing"),
                        tuple(
                                "failed",
                                "before GET /insert/{count}: http 409, {\"timeElapsed\": 13, \"bufferSize\": 64}"),
                        tuple("failed", "after DELETE /data: its response has no such value, take x=/nothing"));
        assertThat(run.outLines())
                .anyMatch(line ->
                        line.startsWith("Failed: threads=1, count=13: before GET /insert/{count}: http" + " 409"));
    }

    @Test
    void aStepWithoutAListeningServerSaysSo() throws Exception {
        store.close();
        Cli run = events("--param", "count=1,2");
        assertThat(run.code()).isEqualTo(3);
        assertThat(rows()).hasSize(2).allSatisfy(row -> assertThat(row.text("reason"))
                .isEqualTo("no request got a response: {connect refused=1}"));
        assertThat(json().get("finished").asBoolean()).isTrue();
    }

    @Test
    void eachStepHasItsOwnUsersLengthAndLabels() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = sweep(
                    "--url",
                    server.url() + "base/{size}",
                    "--threads",
                    "1,3",
                    "--duration",
                    "100ms,200ms",
                    "--get",
                    "/x",
                    "--post",
                    "/y",
                    "--body",
                    "{\"size\": \"{size}\", \"n\": {threads}}",
                    "-H",
                    "X-Size: {size}",
                    "--param",
                    "size=a,b",
                    "--rate",
                    "50/s");
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(server.received())
                    .extracting(request -> request.line())
                    .containsOnly("GET /base/a/x", "POST /base/a/y", "GET /base/b/x", "POST /base/b/y");
            assertThat(server.received())
                    .filteredOn(request -> request.target().equals("/base/b/y"))
                    .extracting(request -> request.text())
                    .containsOnly("{\"size\": \"b\", \"n\": 1}", "{\"size\": \"b\", \"n\": 3}");
            assertThat(server.received().get(0).headers().getFirst("X-Size")).isEqualTo("a");
        }
        assertThat(rows())
                .extracting(row -> row.text("threads"), row -> row.text("duration"))
                .hasSize(8)
                .containsOnly(tuple("1", "100ms"), tuple("3", "200ms"));
        JsonNode plan = Cli.json(Files.readString(out.resolve("step-02/trial-1/result.json")))
                .get("plan");
        assertThat(plan.get("threads").asInt()).isEqualTo(3);
        assertThat(plan.at("/phases/0/durationMs").asDouble()).isEqualTo(200);
    }

    @Test
    void theWarmUpNeverCounts() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = Cli.run(
                    "sweep",
                    "--out",
                    out,
                    "--url",
                    server.url(),
                    "--get",
                    "/",
                    "-c",
                    "2",
                    "-n",
                    5,
                    "--phases",
                    "warmup=1 for 7 iterations,peak=1,cooldown=0.5");
            assertThat(run.code()).isZero();
            assertThat(server.received()).hasSize(14 + 10 + 5);
        }
        assertThat(rows().get(0).text("total_ops")).isEqualTo("10");
    }

    @Test
    void theTargetCountsEachTrialsRequests() throws Exception {
        Cli run = sweep("-c", "1,2", "-n", 10, "--trials", 2);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(rows()).hasSize(8).noneMatch(row -> row.text("verdict").equals("INVALID"));
        assertThat(run.outLines()).anyMatch(line -> line.startsWith("# clients  total_ops"));
    }

    @Test
    void standardOutputIsTheSweepsJson() throws Exception {
        Cli run = events("--param", "count=1,2", "--json");
        assertThat(run.code()).isZero();
        assertThat(run.json()).isEqualTo(json());
        assertThat(run.err()).contains("Results: " + out);
    }

    @Test
    void aThresholdIsOfEachTrial() throws Exception {
        Cli run = events("--param", "count=1,13", "--threshold", "peak/GET /insert/{count}: failures < 1");
        assertThat(run.code()).isEqualTo(99);
        assertThat(rows()).extracting(row -> row.text("thresholds")).containsExactly("passed", "failed");
    }

    @Test
    void aPlansFileGivesTheRequests() throws Exception {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(plan, "target: " + store.url() + "\noperations:\n- GET /insert/0\nphases: other=1 for 1h\n");
        Cli run = sweep("--plan", plan, "-c", "1,2", "-n", 2);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(store.log()).hasSize(2 + 4).containsOnly("GET /insert/0");
    }

    @Test
    void stopsWhereTheConditionHolds() throws Exception {
        Cli run = events("--param", "count=13", "--threads", "1,2,3", "--stop-when", "failures > 50%", "--trials", 2);
        assertThat(run.code()).isEqualTo(3);
        assertThat(rows()).extracting(row -> row.text("step")).containsExactly("1", "1");
        assertThat(json().get("skipped")).hasSize(2);
        assertThat(run.outLines()).contains("Not run: threads=3, count=13: failures > 50% at threads=1, count=13");
    }
}
