package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.command.ExitCode;
import io.phaseload.measure.Counters;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.verdict.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        // responses, verdict, interrupted, threshold, fault, exit code
        "10, VALID,   false, NONE,    ,       0",
        "1,  SUSPECT, false, NONE,    ,       0",
        "10, VALID,   false, PASSED,  ,       0",
        "10, VALID,   false, FAILED,  ,       99",
        "10, SUSPECT, false, FAILED,  ,       99",
        "10, SUSPECT, true,  ABORTED, ,       99",
        "10, VALID,   false, UNDECIDED, ,     6",
        "10, INVALID, false, UNDECIDED, ,     4",
        "0,  VALID,   false, UNDECIDED, ,     3",
        "10, INVALID, false, NONE,    ,       4",
        "10, INVALID, false, FAILED,  ,       4",
        "0,  VALID,   false, NONE,    ,       3",
        "0,  VALID,   false, PASSED,  ,       3",
        "0,  VALID,   false, FAILED,  ,       3",
        "0,  INVALID, false, FAILED,  ,       3",
        "0,  INVALID, true,  ABORTED, ,       3",
        "10, SUSPECT, true,  NONE,    ,       130",
        "10, SUSPECT, true,  FAILED,  ,       130",
        "0,  SUSPECT, true,  NONE,    ,       130",
        "10, INVALID, true,  NONE,    ,       130",
        "10, INVALID, false, NONE,    broken, 1",
        "0,  INVALID, false, FAILED,  broken, 1",
        "10, INVALID, true,  ABORTED, broken, 1",
    })
    void isOfTheMostSevereOutcome(
            long responses, Verdict.Status verdict, boolean interrupted, String threshold, String fault, int code) {
        List<ThresholdResult> thresholds = threshold.equals("NONE")
                ? List.of()
                : List.of(new ThresholdResult(
                        "rps > 1",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(2.0),
                        "/s",
                        threshold.equals("PASSED"),
                        threshold.equals("ABORTED"),
                        Optional.empty(),
                        Optional.empty(),
                        threshold.equals("UNDECIDED") ? ThresholdResult.Outcome.UNDECIDED : null));
        assertThat(ExitCode.of(result(responses, verdict, interrupted, thresholds, fault)))
                .isEqualTo(code);
    }

    private static Result result(
            long responses,
            Verdict.Status verdict,
            boolean interrupted,
            List<ThresholdResult> thresholds,
            String fault) {
        Counters counters = new Counters(responses, 0, 0, 0, 0, Map.of(), Map.of());
        Figures totals = new Figures(
                Duration.ZERO,
                Duration.ZERO,
                responses,
                10 - responses,
                counters,
                Map.of(),
                Figures.of(new Tally(), Duration.ZERO).response(),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of());
        return new Result(
                Result.SCHEMA_VERSION,
                "1",
                Instant.EPOCH,
                Plan.builder(URI.create("http://localhost/"))
                        .scenario(Scenario.getThenPost())
                        .build(),
                null,
                null,
                Optional.empty(),
                List.of(),
                totals,
                List.of("peak"),
                totals,
                new Verdict(verdict, List.of()),
                interrupted,
                Optional.ofNullable(fault),
                List.of(),
                thresholds,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private Cli run(URI url, Path out) {
        return Cli.run("--url", url, "--phases", "peak=1", "-c", 2, "-n", 3, "--get", "/", "--post", "/", "--out", out);
    }

    @Test
    void is3WhereNobodyListens() throws Exception {
        Path out = folder.resolve("out");
        try (Socket bound = new Socket()) {
            // Holds the port without listening on it.
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Cli run = run(URI.create("http://127.0.0.1:" + bound.getLocalPort() + "/"), out);
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.out())
                    .contains("=====\nNo request succeeded: all 12 failed.\nFailures by cause:\n")
                    .containsPattern("connect refused +peak +GET / +6 +50\\.00\n")
                    .contains("The first 'connect refused' (peak, GET /): nothing is listening on the port")
                    .contains("Total number of requests sent: 12\n")
                    .contains("Failed requests: 12 (100.00 %)\n")
                    .endsWith("Results: " + out + System.lineSeparator());
            assertThat(run.err()).isEmpty();
        }
        assertThat(out.resolve("result.json")).isNotEmptyFile();
        // It is made of what the folder keeps.
        assertThat(Files.readString(out.resolve("report.html")))
                .containsPattern("<bdi>connect refused</bdi></th><td class=\"n\">12</td>.*"
                        + "<td><bdi>nothing is listening on the port</bdi></td>");
    }

    @Test
    void is0WhereSomeRequestsFail() throws Exception {
        try (RecordingServer server =
                RecordingServer.start(request -> request.method().equals("GET") ? 404 : 200)) {
            Cli run = run(server.url(), folder.resolve("out"));
            assertThat(run.code()).isZero();
            assertThat(run.out())
                    .contains("Total number of Successful responses: 6\n")
                    .contains("Failed requests: 6 (50.00 %)\n")
                    .containsPattern("http 404 +peak +GET / +6 +50\\.00\n");
        }
    }

    @Test
    void is3WhereEveryResponseSaysFailure() throws Exception {
        try (RecordingServer server = RecordingServer.start(request -> 503)) {
            assertThat(run(server.url(), folder.resolve("out")).code()).isEqualTo(3);
        }
    }

    @Test
    void is1WhereTheFolderIsGoneButTheReportIsPrinted() throws Exception {
        Path out = folder.resolve("out");
        AtomicInteger requests = new AtomicInteger();
        try (RecordingServer server = RecordingServer.start(request -> {
            if (requests.incrementAndGet() == 1) {
                delete(out);
            }
            return 200;
        })) {
            Cli run = run(server.url(), out);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out())
                    .contains("Total number of requests sent: 12\n", "\nVerdict: ")
                    .doesNotContain("Results: ");
            assertThat(run.err())
                    .startsWith("The results couldn't be written to " + out + ": ")
                    .hasLineCount(1);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void is1WhereAFileTookTheFoldersPlace() throws Exception {
        Path out = folder.resolve("out");
        try (RecordingServer server = RecordingServer.start(request -> {
            if (Files.isDirectory(out)) {
                delete(out);
                create(out);
            }
            return 200;
        })) {
            Cli run = Cli.run("--url", server.url(), "-c", 1, "-n", 1, "--json", "--out", out);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.json().at("/totals/requests").asInt()).isEqualTo(4);
            assertThat(run.err().lines())
                    .last()
                    .asString()
                    .startsWith("The results couldn't be written to " + out + ": ");
        }
        assertThat(out).isEmptyFile();
    }

    @Test
    void is1WhereTheClientItselfFailsAndStandardErrorHasTheCause() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream broken = new PrintStream(out, false, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                if (line.startsWith("HIGH phase:")) {
                    throw new IllegalStateException("a line that can't be printed");
                }
                super.println(line);
            }
        };
        Path results = folder.resolve("out");
        try (RecordingServer server = RecordingServer.start()) {
            String url = server.url().toString();
            String[] line = {"--url", url, "--phases", "low=1,high=1", "-n", "2", "--out", results.toString()};
            assertThat(Main.run(line, broken, new PrintStream(err, true, StandardCharsets.UTF_8)))
                    .isEqualTo(1);
        }
        assertThat(err)
                .hasToString("phaseload: internal error: java.lang.IllegalStateException: a line that"
                        + " can't be printed"
                        + System.lineSeparator());
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("LOW phase complete: Time ", "\nVerdict: INVALID\n", "Results: ");
        assertThat(Cli.json(Files.readString(results.resolve("result.json")))
                        .get("fault")
                        .asString())
                .contains("a line that can't be printed");
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
