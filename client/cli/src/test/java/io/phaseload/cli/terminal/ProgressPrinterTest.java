package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.run.RunListener.Progress;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressPrinterTest {

    private static final Phase PEAK = phase("peak");
    private static final Phase COOLDOWN = phase("cooldown");
    private static final List<Phase> PHASES = List.of(PEAK, COOLDOWN);
    private static final Progress HALF =
            new Progress(PEAK, 0.5, Duration.ofMillis(30_002), 12_345.6, Duration.ofNanos(67_078_901), 3);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void withoutATerminalThereIsNoLiveLine() {
        aRun(printer(false));
        assertThat(out)
                .hasToString(lines(
                        "Client starting.... Time: 1538247095282",
                        "PEAK phase: All threads(20) running....",
                        "PEAK phase complete: Time 4.589 seconds",
                        "COOLDOWN phase: All threads(5) running....",
                        "COOLDOWN phase complete: Time 0.001 seconds"));
    }

    @Test
    void onATerminalALiveLineIsRewrittenAndErased() {
        aRun(printer(true));
        String erase = "\r\033[K";
        String live = erase + "peak 1 of 2  50 %  12,346 rps  p99 67.1 ms  failed 3  30 s left," + " 90 s in all";
        assertThat(out)
                .hasToString(lines(
                        erase + "Client starting.... Time: 1538247095282",
                        erase + "PEAK phase: All threads(20) running....",
                        live + live + erase + "PEAK phase complete: Time 4.589 seconds",
                        erase + "COOLDOWN phase: All threads(5) running....",
                        erase + "COOLDOWN phase complete: Time 0.001 seconds"));
    }

    @Test
    void theLiveLineIsVisibleBeforeTheNext() {
        PrintStream stream = new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8);
        ProgressPrinter printer = ProgressPrinter.live(stream, stream, PHASES, () -> 80);
        printer.progress(HALF);
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith(" in all");
        printer.phaseStarted(PEAK, 20);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("All threads(20) running....");
    }

    private static void aRun(ProgressPrinter printer) {
        printer.runStarted(Instant.ofEpochMilli(1_538_247_095_282L));
        printer.phaseStarted(PEAK, 20);
        printer.progress(HALF);
        printer.progress(HALF);
        printer.phaseFinished(PEAK, Duration.ofMillis(4_589));
        printer.phaseStarted(COOLDOWN, 5);
        printer.phaseFinished(COOLDOWN, Duration.ofNanos(500_000));
    }

    @Test
    void theLiveLineOfEachSituation() {
        assertThat(describe("warmup", 0, 1, 0, 0, 0)).isEqualTo("warmup   0 %  0 rps  p99 0.0 ms  failed 0  ? left");
        assertThat(describe("warmup", 0.004, 1, 900.4, 1.04, 0))
                .isEqualTo("warmup   0 %  900 rps  p99 1.0 ms  failed 0  4 min left");
        assertThat(describe("loading", 0.25, 10, 1_234_567, 999.96, 12))
                .isEqualTo("loading  25 %  1,234,567 rps  p99 1000.0 ms  failed 12  30 s left");
        assertThat(describe("peak", 1, 60, 1000, 5, 1))
                .isEqualTo("peak 100 %  1,000 rps  p99 5.0 ms  failed 1  0 s left");
    }

    @Test
    void theTotalTimeLeftIncludesLaterPhases() {
        Phase first = lasting("first", 60);
        List<Phase> phases = List.of(first, lasting("second", 30), lasting("third", 600));
        assertThat(new LiveLine(phases).of(progress(first, 0.5, 30), 80))
                .isEqualTo("first 1 of 3  50 %  1 rps  p99 5.0 ms  failed 0  30 s left, 11 min in all");
        Phase counted = phase("counted");
        assertThat(new LiveLine(List.of(first, counted)).of(progress(first, 0.5, 30), 80))
                .as("nobody knows how long those take")
                .endsWith("  30 s left");
        assertThat(new LiveLine(phases).of(progress(phases.get(2), 0.5, 300), 80))
                .startsWith("third 3 of 3  50 %")
                .endsWith("  5 min left");
    }

    @ParameterizedTest
    @CsvSource({"peak, 79", "peak, 40", "peak, 12", "peak, 3", "a-phase-whose-name-is-long, 79"})
    void theLiveLineNeverWraps(String name, int columns) {
        Phase phase = phase(name);
        String line = new LiveLine(List.of(phase, COOLDOWN))
                .of(
                        new Progress(phase, 1e-9, Duration.ofDays(1), 9_999_999, Duration.ofHours(1), 999_999_999_999L),
                        columns);
        assertThat(line).hasSizeLessThanOrEqualTo(columns);
        assertThat(line + " ".repeat(30)).startsWith(name.substring(0, Math.min(3, columns)));
    }

    @Test
    void whatIsRedirectedHasNoLiveLine() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        aRun(ProgressPrinter.live(
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(terminal, false, StandardCharsets.UTF_8),
                PHASES,
                () -> 80));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Client starting")
                .doesNotContain("\033", " in all");
        assertThat(terminal.toString(StandardCharsets.UTF_8))
                .contains(" in all")
                .endsWith(ProgressPrinter.ERASE)
                .doesNotContain("\n");
    }

    @Test
    void withoutATerminalALineIsWrittenEveryTenSeconds() {
        ByteArrayOutputStream beside = new ByteArrayOutputStream();
        ProgressPrinter printer = ProgressPrinter.plain(
                new PrintStream(out, false, StandardCharsets.UTF_8),
                PHASES,
                new PrintStream(beside, false, StandardCharsets.UTF_8));
        for (Phase phase : PHASES) {
            printer.phaseStarted(phase, 1);
            for (int second = 1; second <= 25; second++) {
                printer.progress(progress(phase, second / 25.0, second));
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).hasLineCount(2);
        assertThat(beside.toString(StandardCharsets.UTF_8).lines().map(line -> line.split(" rps")[0]))
                .containsExactly(
                        "peak 1 of 2  40 %  1",
                        "peak 1 of 2  80 %  1", "cooldown 2 of 2  40 %  1", "cooldown 2 of 2  80 %  1");
    }

    private static Phase lasting(String name, int seconds) {
        return new Phase(name, 1, new PhaseLength.Lasting(Duration.ofSeconds(seconds)));
    }

    private static Progress progress(Phase phase, double done, int seconds) {
        return new Progress(phase, done, Duration.ofSeconds(seconds), 1, Duration.ofMillis(5), 0);
    }

    @Test
    void theLiveLineIsTheSameInEveryLanguage() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(new LiveLine(List.of(PEAK)).of(HALF, 79))
                    .isEqualTo("peak  50 %  12,346 rps  p99 67.1 ms  failed 3  30 s left");
        } finally {
            Locale.setDefault(before);
        }
    }

    private ProgressPrinter printer(boolean live) {
        PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
        return live
                ? ProgressPrinter.live(stream, stream, PHASES, () -> 80)
                : ProgressPrinter.plain(stream, PHASES, new PrintStream(OutputStream.nullOutputStream()));
    }

    private static Phase phase(String name) {
        return new Phase(name, 1, new PhaseLength.Iterations(1));
    }

    private static String describe(String name, double done, long seconds, double rps, double p99Ms, long failed) {
        Phase phase = phase(name);
        return new LiveLine(List.of(phase))
                .of(
                        new Progress(
                                phase,
                                done,
                                Duration.ofSeconds(seconds),
                                rps,
                                Duration.ofNanos(Math.round(p99Ms * 1e6)),
                                failed),
                        79);
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
