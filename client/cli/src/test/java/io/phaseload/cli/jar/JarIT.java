package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.run.RunCommand;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The packaged jar, as a shell starts it. */
class JarIT {

    @TempDir
    private Path folder;

    private Cli run(String line) throws Exception {
        try (JarProcess process = JarProcess.start(folder, line)) {
            return process.end();
        }
    }

    @Test
    void theDefaultRunLeavesAFolderOfResults() throws Exception {
        Cli run = run("--threads 2 --iterations 5 --name smoke");
        assertThat(run.code()).isZero();
        assertThat(run.err())
                .startsWith("50 requests: 5 iterations of 2 requests ")
                .hasLineCount(1);
        assertThat(run.outLines())
                .contains("Total number of requests sent: 50", "Failures: none")
                .noneMatch(line -> line.contains("\r") || line.contains("\033"));
        assertThat(run.outLines()).last().asString().matches("Results: results.\\d{8}T\\d{6}Z-smoke");
        Path results = folder.resolve(last(run.outLines()).substring("Results: ".length()));
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "result.json", "report.txt", "report.html", "summary.md", "intervals.csv", "latency.hlog");
        }
    }

    @Test
    void jsonCanBePiped() throws Exception {
        Cli run = run("run --json --threads 2 --iterations 5 --out out");
        assertThat(run.code()).isZero();
        JsonNode result = run.json();
        assertThat(result.at("/totals/requests").asInt()).isEqualTo(50);
        assertThat(result.at("/target/requests").asInt()).isEqualTo(50);
        assertThat(result).isEqualTo(Cli.json(Files.readString(folder.resolve("out/result.json"))));
        assertThat(run.err())
                .startsWith("50 requests: ")
                .contains("\nClient starting.... Time: ")
                .endsWith("Results: out\n")
                .doesNotContain("\r", "\033");
    }

    @Test
    void aUsageErrorIsOneLineAndExitCode2() throws Exception {
        Cli run = run("run --threads abc");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("--threads abc: expected ").hasLineCount(1);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("stderr");
        }
    }

    /** As of a server's runtime, which has neither AWT nor fonts. */
    @Test
    void picturesThatCantBeDrawnAreOneLine() throws Exception {
        MadeUpRun.ofDefaultPlan().lasting(1).requests(5).write(folder.resolve("run"));
        String without = "export JDK_JAVA_OPTIONS=--limit-modules=java.base,java.xml,java.management,"
                + "jdk.management,java.logging,java.naming,jdk.unsupported; exec \"$@\"";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), without, "report run --png png")) {
            Cli report = process.end();

            assertThat(report.code()).isEqualTo(ExitCode.INTERNAL_ERROR);
            assertThat(report.out()).contains("Total number of requests sent: 40");
            assertThat(report.err().lines().filter(line -> !line.startsWith("NOTE:")))
                    .singleElement()
                    .asString()
                    .startsWith("The pictures couldn't be written to png: pictures need fonts")
                    .contains("fontconfig");
        }
    }

    @Test
    void aHeapThatIsTooSmallIsOneLine() throws Exception {
        try (RandomAccessFile body = new RandomAccessFile(folder.resolve("body").toFile(), "rw")) {
            body.setLength(40_000_000);
        }
        String small = "export JDK_JAVA_OPTIONS=-Xmx20m; exec \"$@\"";
        String line = "--url http://127.0.0.1:1/ --post / --body @body";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), small, line)) {
            Cli run = process.end();

            assertThat(run.code()).isEqualTo(ExitCode.INTERNAL_ERROR);
            assertThat(run.err().lines().filter(text -> !text.startsWith("NOTE:")))
                    .singleElement()
                    .asString()
                    .startsWith("phaseload: out of memory: a heap of 20 MB is too small");
        }
    }

    /** Running out of memory takes half a minute: this is known before anything is started. */
    @ParameterizedTest
    @CsvSource({"run -c 2000, 64", "run -c 2000 --engine events, 46", "'sweep -c 10,2000', 64"})
    void aHeapThatIsTooSmallForTheUsersIsRefusedBeforeTheRun(String line, int ample) throws Exception {
        String small = "export JDK_JAVA_OPTIONS=-Xmx20m; exec \"$@\"";
        try (RecordingServer server = RecordingServer.start();
                JarProcess process =
                        JarProcess.startUnder(folder, List.of(), small, line + " --out out --url " + server.url())) {
            Cli run = process.end();

            assertThat(run.code()).isEqualTo(ExitCode.INTERNAL_ERROR);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines().filter(text -> !text.startsWith("NOTE:")))
                    .singleElement()
                    .asString()
                    .matches("phaseload: a heap of (19|20) MB is too small for 2000 users:"
                            + " start java with -Xmx"
                            + ample
                            + "m, or use fewer users \\(-c\\)");
            assertThat(server.received()).isEmpty();
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void variablesAreOptionsAndNearMissesAreNamed() throws Exception {
        String around = "export JDK_JAVA_OPTIONS=-Dthread=2 PHASELOAD_THREADS=7 PHASELOAD_ITERATION=3; exec \"$@\"";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), around, "plan --url http://h/")) {
            Cli plan = process.end();

            assertThat(plan.code()).isZero();
            assertThat(plan.out()).contains("threads: 7");
            assertThat(plan.err().lines().filter(line -> line.startsWith("warning: ")))
                    .containsExactly(
                            "warning: -Dthread: no such option, did you mean -Dthreads?",
                            "warning: PHASELOAD_ITERATION: no such option, did you mean PHASELOAD_ITERATIONS?");
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only there a process can read what was typed")
    void textArrivesAsTypedInAnyLocale() throws Exception {
        String plain = "export LC_ALL=C; exec \"$@\" --body \"$(printf '\\303\\274')\"";
        String line = "plan --json --url http://h/ --post /";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), plain, line)) {
            Cli plan = process.end();

            assertThat(plan.code()).isZero();
            assertThat(plan.json().at("/operations/0/body").asString()).isEqualTo("ü");
        }
    }

    @Test
    void helpIsOnStandardOutput() throws Exception {
        Cli help = run("run --help all");
        assertThat(help.code()).isZero();
        assertThat(help.outLines())
                .isEqualTo(new CliCommand("run", new RunCommand())
                        .help()
                        .all()
                        .lines()
                        .toList());
        assertThat(help.err()).isEmpty();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no /dev/stdin")
    void aBodyCanComeFromAPipe() throws Exception {
        String line = "--body @/dev/stdin -c 1 -n 1 --out out";
        try (JarProcess process = JarProcess.start(folder, line)) {
            process.type("from a pipe");
            assertThat(process.end().code()).isZero();
        }
        JsonNode result = Cli.json(Files.readString(folder.resolve("out/result.json")));
        assertThat(result.at("/plan/operations/1/body").asString()).isEqualTo("from a pipe");
    }

    private static String last(List<String> lines) {
        return lines.get(lines.size() - 1);
    }
}
