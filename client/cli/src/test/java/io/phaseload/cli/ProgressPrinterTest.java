package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.RunListener.Progress;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressPrinterTest {

    private static final Phase PEAK = phase("peak");
    private static final Progress HALF =
            new Progress(
                    PEAK,
                    0.5,
                    Duration.ofMillis(30_002),
                    12_345.6,
                    Duration.ofNanos(67_078_901),
                    3);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void withoutATerminalThereAreLinesAlone() {
        aRun(printer(false));
        assertThat(out)
                .hasToString(
                        lines(
                                "Client starting.... Time: 1538247095282",
                                "PEAK phase: All threads(20) running....",
                                "PEAK phase complete: Time 4.589 seconds",
                                "COOLDOWN phase: All threads(5) running....",
                                "COOLDOWN phase complete: Time 0.001 seconds"));
    }

    @Test
    void onATerminalALineBeneathThemIsWrittenAnewAndErased() {
        aRun(printer(true));
        String erase = "\r\033[K";
        String live = erase + "peak  50 %  12,346 rps  p99 67.1 ms  failed 3  30 s left";
        assertThat(out)
                .hasToString(
                        lines(
                                erase + "Client starting.... Time: 1538247095282",
                                erase + "PEAK phase: All threads(20) running....",
                                live + live + erase + "PEAK phase complete: Time 4.589 seconds",
                                erase + "COOLDOWN phase: All threads(5) running....",
                                erase + "COOLDOWN phase complete: Time 0.001 seconds"));
    }

    @Test
    void theLiveLineIsVisibleBeforeTheNext() {
        ProgressPrinter printer =
                new ProgressPrinter(
                        new PrintStream(
                                new BufferedOutputStream(out), false, StandardCharsets.UTF_8),
                        true);
        printer.progress(HALF);
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith(" left");
        printer.phaseStarted(PEAK, 20);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("All threads(20) running....");
    }

    private static void aRun(ProgressPrinter printer) {
        printer.runStarted(Instant.ofEpochMilli(1_538_247_095_282L));
        printer.phaseStarted(PEAK, 20);
        printer.progress(HALF);
        printer.progress(HALF);
        printer.phaseFinished(PEAK, Duration.ofMillis(4_589));
        printer.phaseStarted(phase("cooldown"), 5);
        printer.phaseFinished(phase("cooldown"), Duration.ofNanos(500_000));
    }

    @Test
    void theLiveLineOfEachSituation() {
        assertThat(describe("warmup", 0, 1, 0, 0, 0))
                .isEqualTo("warmup   0 %  0 rps  p99 0.0 ms  failed 0  ? left");
        assertThat(describe("warmup", 0.004, 1, 900.4, 1.04, 0))
                .isEqualTo("warmup   0 %  900 rps  p99 1.0 ms  failed 0  249 s left");
        assertThat(describe("loading", 0.25, 10, 1_234_567, 999.96, 12))
                .isEqualTo("loading  25 %  1,234,567 rps  p99 1000.0 ms  failed 12  30 s left");
        assertThat(describe("peak", 1, 60, 1000, 5, 1))
                .isEqualTo("peak 100 %  1,000 rps  p99 5.0 ms  failed 1  0 s left");
    }

    @ParameterizedTest
    @ValueSource(strings = {"peak", "a-phase-whose-name-is-as-long-as-allowed"})
    void theLiveLineNeverWraps(String name) {
        assertThat(describe(name, 1e-9, 86_400, 9_999_999, 3_600_000, 999_999_999_999L))
                .hasSizeLessThan(80)
                .startsWith(name);
    }

    @Test
    void theLiveLineIsTheSameInEveryLanguage() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(ProgressPrinter.describe(HALF))
                    .isEqualTo("peak  50 %  12,346 rps  p99 67.1 ms  failed 3  30 s left");
        } finally {
            Locale.setDefault(before);
        }
    }

    private ProgressPrinter printer(boolean live) {
        return new ProgressPrinter(new PrintStream(out, false, StandardCharsets.UTF_8), live);
    }

    private static Phase phase(String name) {
        return new Phase(name, 1, new PhaseLength.Iterations(1));
    }

    private static String describe(
            String name, double done, long seconds, double rps, double p99Ms, long failed) {
        return ProgressPrinter.describe(
                new Progress(
                        phase(name),
                        done,
                        Duration.ofSeconds(seconds),
                        rps,
                        Duration.ofNanos(Math.round(p99Ms * 1e6)),
                        failed));
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
