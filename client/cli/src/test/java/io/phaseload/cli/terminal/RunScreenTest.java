package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.run.RunListener.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** scripts/test/test_tui.py has whole runs on a terminal. */
class RunScreenTest {

    private static final Phase PEAK = new Phase("peak", 1, new PhaseLength.Iterations(5));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private TerminalSize size = new TerminalSize(20, 50);
    private final RunScreen screen =
            new RunScreen(new PrintStream(printed, true, StandardCharsets.UTF_8), List.of(PEAK), () -> size, '#');

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void progress() {
        screen.progress(new Progress(PEAK, 0.5, Duration.ofSeconds(2), 500, Duration.ofMillis(3), 0));
    }

    @Test
    void theLinesOfARunComeAfterTheScreen() {
        screen.runStarted(Instant.EPOCH);
        screen.phaseStarted(PEAK, 7);
        progress();
        screen.phaseFinished(PEAK, Duration.ofSeconds(1));
        screen.close();
        screen.close();

        assertThat(printed()).startsWith(RunScreen.ENTER).contains("[peak, 7 users]");
        assertThat(List.of(printed().split(Pattern.quote(RunScreen.LEAVE), -1)))
                .hasSize(2)
                .last()
                .asString()
                .contains("PEAK")
                .doesNotContain("\033");
    }

    @Test
    void nothingIsDrawnBeforeItIsOpenAndAfterItIsClosed() {
        progress();
        screen.close();
        screen.runStarted(Instant.EPOCH);
        screen.phaseStarted(PEAK, 7);
        progress();

        assertThat(printed()).doesNotContain("\033").contains("PEAK");
    }

    @Test
    void aSmallTerminalIsNotLeft() {
        size = new TerminalSize(4, 12);
        screen.runStarted(Instant.EPOCH);
        progress();

        String frame = printed().substring(RunScreen.ENTER.length());
        assertThat(frame.split("\r\n", -1)).hasSize(4).allSatisfy(line -> assertThat(
                        line.replaceAll("\033\\[[?0-9]*[A-Za-z]", ""))
                .hasSizeLessThan(12));
        screen.close();
    }

    @Test
    void theLastValuesFitIntoALineOfTheHighestOne() {
        Sparkline line = new Sparkline("p99", " ms", false);
        for (int i = 0; i <= 200; i++) {
            line.add(i);
        }

        assertThat(line.text(40))
                .hasSize(40)
                .startsWith("p99 ")
                .contains("200 ms")
                .endsWith("#");
        assertThat(new Sparkline("p99", " ms", false).text(40)).isEqualTo("p99");
    }
}
