package io.phaseload.cli;

import io.phaseload.engine.RunListener;
import io.phaseload.plan.Phase;
import io.phaseload.result.TextReport;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Prints how a run goes: the lines that reports begin with, and on a terminal a line beneath them
 * that is written anew each second.
 */
final class ProgressPrinter implements RunListener {

    /** Back to the line's beginning, and erase to its end. */
    private static final String ERASE = "\r\033[K";

    /** A line that wraps couldn't be erased any more. */
    private static final int COLUMNS = 79;

    private final PrintStream out;
    private final boolean live;

    ProgressPrinter(PrintStream out, boolean live) {
        this.out = out;
        this.live = live;
    }

    @Override
    public void runStarted(Instant at) {
        line(TextReport.startLine(at));
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        line(TextReport.phaseStartLine(phase.name(), users));
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        line(TextReport.phaseEndLine(phase.name(), wall));
    }

    @Override
    public void progress(Progress progress) {
        if (live) {
            out.print(ERASE + describe(progress));
            out.flush();
        }
    }

    /** One line for a terminal, short enough for 80 columns. */
    static String describe(Progress progress) {
        double left =
                progress.done() > 0
                        ? progress.elapsed().toSeconds() * (1 / progress.done() - 1)
                        : Double.NaN;
        String line =
                String.format(
                        Locale.ROOT,
                        "%s %3.0f %%  %,.0f rps  p99 %.1f ms  failed %d  %s left",
                        progress.phase().name(),
                        progress.done() * 100,
                        progress.requestsPerSecond(),
                        progress.p99().toNanos() / 1e6,
                        progress.failed(),
                        Double.isNaN(left) ? "?" : Math.round(left) + " s");
        return line.length() <= COLUMNS ? line : line.substring(0, COLUMNS);
    }

    private void line(String text) {
        out.println((live ? ERASE : "") + text);
        out.flush();
    }
}
