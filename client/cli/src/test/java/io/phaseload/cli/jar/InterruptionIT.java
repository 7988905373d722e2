package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.sweep.rows.TrialCsv;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What signals make of a run. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no signals")
class InterruptionIT {

    private static final String PEAK = "PEAK phase: All threads(";

    @TempDir
    private Path folder;

    /**
     * A script's background jobs ignore SIGINT, those of nohup(1) SIGHUP, and so do their children: a JVM leaves it at
     * that.
     */
    private static void assumeArrives(String signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.isReadable(status)) {
            String ignored = Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .map(line -> line.substring("SigIgn:".length()).strip())
                    .findFirst()
                    .orElse("0");
            int number = Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal);
            assumeThat(new BigInteger(ignored, 16).testBit(number - 1))
                    .as("SIG%s is ignored by what started the tests", signal)
                    .isFalse();
        }
    }

    private JarProcess start(String line) throws IOException {
        return JarProcess.start(folder, line + " --out out");
    }

    private JsonNode result() throws IOException {
        return Accounting.balanced(folder.resolve("out"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void theFirstSignalEndsTheRunInOrder(String signal) throws Exception {
        assumeArrives(signal);
        try (RecordingServer server = RecordingServer.start();
                JarProcess process =
                        start("run --threads 2 --iterations 100m --get / --post / --phases peak=1,cooldown=0.5 --url "
                                + server.url())) {
            process.awaitLine(PEAK);
            server.await(20);
            process.signal(signal);
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.err())
                    .startsWith("Stopping: waiting up to 5.0 s for requests in flight, ")
                    .hasLineCount(1);
            int sent = server.received().size();
            assertThat(run.outLines())
                    .contains("=====", "Total number of requests sent: " + sent)
                    .contains("Total number of Successful responses: " + sent)
                    .anyMatch(line -> line.startsWith("Not sent: "))
                    .noneMatch(line -> line.startsWith("COOLDOWN"))
                    .last()
                    .isEqualTo("Results: out");
            JsonNode result = result();
            assertThat(result.get("interrupted").asBoolean()).isTrue();
            assertThat(result.at("/totals/requests").asInt()).isEqualTo(sent);
            assertThat(result.at("/phases/1/startedAt").isNull()).isTrue();
            assertThat(result.at("/phases/1/notSent/interrupted").asLong()).isEqualTo(200_000_000);
        }
    }

    @Test
    void theTargetsCountIsStillTheClients() throws Exception {
        assumeArrives("INT");
        try (JarProcess process = start("--target tomcat --threads 2 --iterations 100m --phases peak=1 --json")) {
            process.awaitErrLine(PEAK);
            process.signal("INT");
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.json()).isEqualTo(result());
            JsonNode result = result();
            assertThat(result.get("interrupted").asBoolean()).isTrue();
            assertThat(result.at("/target/requests").asLong())
                    .isEqualTo(result.at("/totals/requests").asLong());
        }
    }

    /** As timeout(1) sends them: to its child, then to the group that the child is in. */
    @Test
    void twoSignalsAtOnceAreOne() throws Exception {
        assumeArrives("INT");
        try (RecordingServer server = RecordingServer.start(request -> 0);
                JarProcess process = start("-c 2 --phases peak=1 --timeout 2s --url " + server.url())) {
            process.awaitLine(PEAK);
            server.await(2);
            // Of two that are the same, the system may make one itself.
            process.signal("INT", "TERM");
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.outLines())
                    .contains("Total number of requests sent: "
                            + server.received().size())
                    .last()
                    .isEqualTo("Results: out");
            assertThat(result().get("interrupted").asBoolean()).isTrue();
        }
    }

    @Test
    void aLaterSignalEndsTheProcessAtOnce() throws Exception {
        assumeArrives("INT");
        try (RecordingServer server = RecordingServer.start(request -> 0);
                JarProcess process = start("-c 2 --phases peak=1 --timeout 60s --url " + server.url())) {
            process.awaitLine(PEAK);
            server.await(2);
            process.signal("INT");
            process.awaitErrLine("Stopping: ");
            // As fast as fingers are, and no echo of the first one.
            assertThat(process.endsWithin(110)).isFalse();
            process.signal("INT");
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(130);
            // An orderly end would have written both, after five seconds.
            assertThat(run.out()).doesNotContain("=====");
            assertThat(folder.resolve("out/report.txt")).doesNotExist();
            // What was written as it went is enough for a report.
            JsonNode reported = Accounting.reported(folder.resolve("out"));
            assertThat(reported.get("interrupted").asBoolean()).isTrue();
            assertThat(reported.at("/totals/requests").asLong()).isZero();
        }
    }

    /** What was written second by second is a result, up to the last one. */
    @Test
    void whatAKilledRunHadWrittenCanBeReported() throws Exception {
        Path csv = folder.resolve("out/intervals.csv");
        try (RecordingServer server = RecordingServer.start();
                JarProcess process = start("-c 4 --rate 200/s --duration 10m --phases peak=1 --url " + server.url())) {
            process.awaitLine(PEAK);
            // The header, two rows a second, and one of the client.
            while (Files.readAllLines(csv).size() < 5) {
                assertThat(process.endsWithin(10)).isFalse();
            }
            process.signal("KILL");
            assertThat(process.end().code()).isEqualTo(128 + 9);

            JsonNode reported = Accounting.reported(folder.resolve("out"));
            assertThat(reported.get("interrupted").asBoolean()).isTrue();
            assertThat(reported.at("/phases/0/asked")).isEqualTo(reported.at("/totals/requests"));
            assertThat(reported.at("/totals/failed").asLong()).isZero();
            assertThat(reported.at("/totals/requests").asInt())
                    .isBetween(100, server.received().size());
        }
    }

    @Test
    void aSignalWhileTheResultsAreWrittenLosesNothing() throws Exception {
        assumeArrives("INT");
        String requests =
                IntStream.rangeClosed(1, 30).mapToObj(i -> "--get /" + i).collect(Collectors.joining(" "));
        try (RecordingServer server = RecordingServer.start();
                JarProcess process =
                        start("-c 1 -n 1 --json --phases a=1,b=1,c=1,d=1 " + requests + " --url " + server.url())) {
            // Its JSON is longer than a pipe, and nobody reads it yet: the process waits in there.
            process.awaitErrLine("Verdict: ");
            process.signal("INT");
            Cli run = process.end();
            assertThat(run.out()).hasSizeGreaterThan(1 << 16);
            assertThat(run.code()).isZero();
            assertThat(run.json()).isEqualTo(result());
            assertThat(result().at("/totals/requests").asInt()).isEqualTo(120);
        }
    }

    @Test
    void anInterruptedSweepKeepsItsFinishedTrialsAndIsResumed() throws Exception {
        assumeArrives("INT");
        Path out = folder.resolve("out");
        AtomicBoolean hangs = new AtomicBoolean(true);
        try (RecordingServer server = RecordingServer.start(
                        request -> hangs.get() && request.target().equals("/b") ? 0 : 200);
                JarProcess process = start("sweep -c 1 -n 3 --warmup 0s --timeout 2s --param p=a,b,c"
                        + " --get /{p} --url "
                        + server.url())) {
            server.await(4);
            process.signal("INT");
            Cli run = process.end();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.outLines())
                    .anyMatch(line -> line.endsWith("; the sweep isn't finished"))
                    .last()
                    .isEqualTo("Results: out");
            assertThat(TrialCsv.read(out).rows()).hasSize(1);
            assertThat(out.resolve("step-01/trial-1/result.json")).isRegularFile();
            // The trial that was interrupted doesn't count, but can be looked at.
            assertThat(out.resolve("step-02/trial-1"))
                    .isDirectoryContaining("glob:**/result.json")
                    .isDirectoryContaining("glob:**/report.txt")
                    .isDirectoryContaining("glob:**/summary.md");

            hangs.set(false);
            assertThat(Cli.run("sweep", "--resume", out).code()).isZero();
            assertThat(server.received().subList(4, 10))
                    .extracting(request -> request.target())
                    .containsExactly("/b", "/b", "/b", "/c", "/c", "/c");
            assertThat(TrialCsv.read(out).rows()).hasSize(3);
        }
    }
}
