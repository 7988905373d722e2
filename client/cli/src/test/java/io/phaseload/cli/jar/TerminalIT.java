package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live line: there when somebody watches, else not. Each JDK has its own way to a terminal. */
class TerminalIT {

    private static final String ERASE = "\r\033[K";
    private static final Pattern LIVE = Pattern.compile(
            Pattern.quote(ERASE) + "peak +\\d+ %  [\\d,]+ rps  p99 \\d+\\.\\d ms  failed 0  \\d+ s left");

    /** The report's own lines, without what is beside them. */
    private static List<String> tables(String report) {
        return report.lines()
                .map(line -> line.replaceAll("\\033\\[\\d*m", ""))
                .dropWhile(line -> !line.startsWith("phase "))
                .takeWhile(line -> !line.startsWith("Failures"))
                .toList();
    }

    /** On a busy machine, the first second's line can be late. */
    private static final String PATIENTLY = "4s";

    @TempDir
    private Path folder;

    private RecordingServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = RecordingServer.start();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    /** A run that is long enough for the line of its first second. */
    private String line() {
        return line("peak=1", "1500ms");
    }

    private String line(String phases, String duration) {
        return "-c 1 --phases %s --duration %s --out out --url %s".formatted(phases, duration, server.url());
    }

    private Cli onTerminal(String line, Map<String, String> environment) throws Exception {
        return onTerminal("", line, environment);
    }

    /** Under commands of a shell that the terminal has first. */
    private Cli onTerminal(String before, String line, Map<String, String> environment) throws Exception {
        assumeScript();
        try (JarProcess process = JarProcess.startOnTerminal(folder, before, line, environment)) {
            return process.end();
        }
    }

    private static void assumeScript() throws InterruptedException {
        String version = "";
        try {
            Process script = new ProcessBuilder("script", "--version").start();
            version = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            script.waitFor();
        } catch (IOException e) {
            version = e.getMessage();
        }
        assumeThat(version).as("script(1) of util-linux is needed").contains("util-linux");
    }

    /** Also where NO_COLOR is empty, which is as if it weren't set. */
    @Test
    void aTerminalHasALiveLine() throws Exception {
        Cli run = onTerminal(line("peak=1", PATIENTLY), Map.of("NO_COLOR", ""));
        assertThat(run.code()).isZero();
        assertThat(run.out()).containsPattern(LIVE).contains(ERASE + "PEAK phase complete: Time ", "Results: out");
        assertThat(run.out().substring(run.out().indexOf("====="))).doesNotContain(ERASE);
    }

    @Test
    @Tag("slow")
    void theReportFitsATerminalOf80Columns() throws Exception {
        String line = line("a-phase-with-a-long-name=1,peak=1", "100ms") + " --get /a-path-as-long-as-it";
        Cli run = onTerminal("stty cols 80; ", line, Map.of());
        assertThat(tables(run.out()))
                .hasSizeGreaterThan(4)
                .allSatisfy(row -> assertThat(row).hasSizeLessThanOrEqualTo(80))
                .anyMatch(row -> row.endsWith("max ms"));
        Cli wide = onTerminal("stty cols 200; ", line.replace("--out out", "--out wide"), Map.of());
        assertThat(tables(wide.out()).get(0)).contains("threads").endsWith("max ms");
    }

    @Test
    @Tag("slow")
    void aTerminalHasColoursAndBars() throws Exception {
        Cli run = onTerminal(line(), Map.of());
        assertThat(run.out())
                .containsPattern("\033\\[3[123]mVerdict: ")
                .containsPattern("Latency, measured phases:\\R  <= +\\d+ [mu]?s +\\d+\\.\\d %");
    }

    @Test
    @Tag("slow")
    void aReaderOfOnlyTheBeginningIsNoFailure() throws Exception {
        List<String> shell = List.of("bash", "-c", "\"$@\" | head -1; exit ${PIPESTATUS[0]}", "sh");
        try (JarProcess process = JarProcess.startUnder(folder, shell, "exec \"$@\"", line())) {
            Cli run = process.end();
            assertThat(run.outLines()).singleElement().asString().startsWith("Client starting");
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_COLOR=1", "TERM=dumb"})
    @Tag("slow")
    void theEnvironmentCanForbidIt(String variable) throws Exception {
        String[] pair = variable.split("=");
        Cli run = onTerminal(line(), Map.of(pair[0], pair[1]));
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("PEAK phase complete: Time ").doesNotContain("\033", "rps  p99");
    }

    @Test
    @Tag("slow")
    void quietForbidsIt() throws Exception {
        assertThat(onTerminal(line() + " --quiet", Map.of()).out())
                .startsWith("=====")
                .doesNotContain(ERASE, "rps  p99");
    }

    @Test
    @Tag("slow")
    void redirectedOutputLeavesTheLiveLineOnTheTerminal() throws Exception {
        Cli run = onTerminal("exec >file; ", line("peak=1", PATIENTLY) + " --json", Map.of());
        assertThat(run.out()).containsPattern(LIVE).contains("Keys change the load: ", "PEAK phase complete: Time ");
        assertThat(Files.readString(folder.resolve("file"))).startsWith("{").doesNotContain("\033");
    }

    @Test
    @Tag("slow")
    void aProgramThatReadsTheReportHasTheKeys() throws Exception {
        Cli run = onTerminal("piped() { \"$@\" | cat >file; }; piped ", line("peak=1", PATIENTLY), Map.of());
        assertThat(run.out()).containsPattern(LIVE).doesNotContain("Keys change the load");
        assertThat(Files.readString(folder.resolve("file"))).contains("Results: out");
    }

    @Test
    @Tag("slow")
    void coloursCanBeForced() throws Exception {
        try (JarProcess process = JarProcess.start(folder, line() + " --color always")) {
            Cli run = process.end();
            assertThat(run.out()).containsPattern("\033\\[3[123]mVerdict: ").doesNotContain("\r");
        }
    }

    @Test
    void keysChangeTheLoadAndTheTerminalIsRestored() throws Exception {
        assumeScript();
        String before = "stty -g >before; trap 'stty -g >after' EXIT; ";
        String line = line("warmup=1,peak=1", "10m");
        // Its carriage return ends a line.
        String erased = ERASE.substring(1);
        try (JarProcess process = JarProcess.startOnTerminal(folder, before, line, Map.of())) {
            process.awaitLine(erased + "WARMUP phase: All threads(1) running");
            process.press("+");
            process.awaitLine(erased + "warmup: users 1 to 2");
            process.press("?");
            process.awaitLine("250 Enter");
            process.press("7\n");
            process.awaitLine(erased + "warmup: users 2 to 7");
            process.press("n");
            process.awaitLine(erased + "WARMUP phase complete");
            process.press("A");
            Cli run = process.end();

            assertThat(run.code()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(run.out()).contains("Loads, as they were changed while the run went on:");
        }
        assertThat(folder.resolve("after")).hasSameTextualContentAs(folder.resolve("before"));
        assertThat(Files.readString(folder.resolve("out/result.json"))).contains("\"origin\" : \"key\"");
    }

    @Test
    void aPipeHasNone() throws Exception {
        try (JarProcess process = JarProcess.start(folder, line())) {
            Cli run = process.end();
            assertThat(run.code()).isZero();
            assertThat(run.out()).contains("PEAK phase complete: Time ").doesNotContain("\033", "\r", "rps  p99");
            assertThat(run.err()).isEmpty();
        }
    }
}
