package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The main job: the published course against the Tomcat target in this JVM. */
class TomcatRunTest {

    private static final String SECONDS = "\\d+\\.\\d{3} seconds";
    private static final String MILLIS = "\\d+\\.\\d{3} ms\\.";

    /** Down to P99 people and scripts read these lines: their wording is a contract. */
    private static final List<String> CONTRACT = List.of(
            "Client starting\\.\\.\\.\\. Time: \\d{13}",
            "WARMUP phase: All threads\\(2\\) running\\.\\.\\.\\.",
            "WARMUP phase complete: Time " + SECONDS,
            "LOADING phase: All threads\\(10\\) running\\.\\.\\.\\.",
            "LOADING phase complete: Time " + SECONDS,
            "PEAK phase: All threads\\(20\\) running\\.\\.\\.\\.",
            "PEAK phase complete: Time " + SECONDS,
            "COOLDOWN phase: All threads\\(5\\) running\\.\\.\\.\\.",
            "COOLDOWN phase complete: Time " + SECONDS,
            "=====",
            "Total number of requests sent: 7400",
            "Total number of Successful responses: 7400",
            "Failed requests: 0 \\(0\\.00 %\\)",
            "Test Wall Time: " + SECONDS,
            "Overall throughput across all phases: \\d+\\.\\d{2} rps\\.",
            "Mean Latency for all requests = " + MILLIS,
            "Median Latency = " + MILLIS,
            "P95 Latency = " + MILLIS,
            "P99 Latency = " + MILLIS,
            "");

    @TempDir
    private static Path folder;

    private static Path out;
    private static Cli run;

    @BeforeAll
    static void run() {
        out = folder.resolve("out");
        run = Cli.run("run", "--target", "tomcat", "--threads", 20, "--iterations", 100, "-o", out);
    }

    @Test
    void passes() {
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEqualTo("7,400 requests: 100 iterations of 2 requests × 37 users in four phases\n");
    }

    @Test
    void printsTheLinesThatScriptsReadAndTheFolderLast() {
        List<String> lines = run.outLines();
        assertThat(lines).hasSizeGreaterThan(CONTRACT.size());
        for (int i = 0; i < CONTRACT.size(); i++) {
            assertThat(lines.get(i)).matches(CONTRACT.get(i));
        }
        assertThat(lines).last().isEqualTo("Results: " + out);
        assertThat(lines.get(lines.indexOf("Failures: none") + 1)).isEmpty();
        assertThat(lines.get(lines.indexOf("Failures: none") + 2)).matches("Verdict: (VALID|SUSPECT)");
        assertThat(run.out()).doesNotContain("\r", "\033");
    }

    @Test
    void printsARowAnOperationAndAPhase() {
        List<String> expected = new ArrayList<>();
        expected.add("phase +operation +threads +requests +failed +rps +mean ms +p50 ms +p95 ms +p99 ms" + " +max ms");
        addRows(expected, "warmup", 2, 200);
        addRows(expected, "loading", 10, 1000);
        addRows(expected, "peak", 20, 2000);
        addRows(expected, "cooldown", 5, 500);
        List<String> lines = run.outLines();
        int first = CONTRACT.size();
        while (!lines.get(first).startsWith("phase ")) {
            first++;
        }
        for (int i = 0; i < expected.size(); i++) {
            assertThat(lines.get(first + i)).matches(expected.get(i));
        }
        assertThat(lines.get(first + expected.size())).isEmpty();
    }

    private static void addRows(List<String> rows, String phase, int threads, int requests) {
        for (String operation : List.of("GET /", "POST /")) {
            rows.add(row(phase, operation, threads, requests));
        }
        rows.add(row(phase, "\\(all\\)", threads, 2 * requests));
    }

    private static String row(String phase, String operation, int threads, int requests) {
        String millis = " +\\d+\\.\\d{3}";
        String p99 = requests < 563 ? " +n too small" : millis;
        return "%s +%s +%d +%d +0 +\\d+\\.\\d(%s){3}%s%s"
                .formatted(phase, operation, threads, requests, millis, p99, millis);
    }

    @Test
    void theTargetCountedWhatWasSent() throws Exception {
        assertThat(run.outLines())
                .filteredOn(line -> line.startsWith("Target: "))
                .singleElement()
                .asString()
                .matches("Target: Tomcat at http://127\\.0\\.0\\.1:\\d+/ in the client's own JVM;"
                        + " it counted 7400 requests");
        JsonNode result = Cli.json(Files.readString(out.resolve("result.json")));
        assertThat(result.at("/target/requests").asLong()).isEqualTo(7400);
        assertThat(result.at("/totals/requests").asLong()).isEqualTo(7400);
        assertThat(result.at("/totals/succeeded").asLong()).isEqualTo(7400);
        assertThat(result.get("phases").findValuesAsString("name"))
                .containsSubsequence("warmup", "loading", "peak", "cooldown");
        assertThat(result.get("interrupted").asBoolean()).isFalse();
        assertThat(run.out()).contains(result.at("/target/description").asString());
    }

    @Test
    void theFolderHoldsTheResultAndTheReportAsPrinted() throws Exception {
        assertThat(names(out))
                .containsExactlyInAnyOrder(
                        "result.json", "report.txt", "report.html", "summary.md", "intervals.csv", "latency.hlog");
        List<String> lines = run.outLines();
        assertThat(Files.readString(out.resolve("report.txt")).lines())
                .containsExactlyElementsOf(lines.subList(0, lines.size() - 1));
    }

    @Test
    void jsonIsAloneOnStandardOutput() throws Exception {
        Path folder = TomcatRunTest.folder.resolve("json");
        Cli json = Cli.run("--json", "--threads", 2, "--iterations", 2, "--out", folder);
        assertThat(json.code()).isZero();
        assertThat(json.json()).isEqualTo(Cli.json(Files.readString(folder.resolve("result.json"))));
        assertThat(json.json().at("/target/requests").asLong()).isEqualTo(20);
        List<String> text = json.err().lines().toList();
        assertThat(text).element(1).asString().startsWith("Client starting.... Time: ");
        assertThat(text)
                .contains("PEAK phase: All threads(2) running....", "=====", "Total number of requests sent: 20")
                .last()
                .isEqualTo("Results: " + folder);
    }

    @Test
    void quietLeavesTheSummary() {
        Path folder = TomcatRunTest.folder.resolve("quiet");
        Cli quiet = Cli.run("--quiet", "--threads", 2, "--iterations", 2, "--out", folder);
        assertThat(quiet.code()).isZero();
        assertThat(quiet.outLines())
                .startsWith("=====", "Total number of requests sent: 20")
                .noneMatch(line -> line.contains("phase:") || line.contains("complete"))
                .last()
                .isEqualTo("Results: " + folder);
        assertThat(quiet.err()).isEmpty();
    }

    @Test
    void quietJsonLeavesTheSummaryToStandardError() {
        Path folder = TomcatRunTest.folder.resolve("quiet-json");
        Cli both = Cli.run("--quiet", "--json", "-c", 1, "-n", 1, "--out", folder);
        assertThat(both.code()).isZero();
        assertThat(both.json().at("/totals/requests").asLong()).isEqualTo(8);
        assertThat(both.err()).startsWith("=====\n");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
