package io.phaseload.cli.terminal;

import io.phaseload.plan.Phase;
import io.phaseload.report.text.TextReport;
import io.phaseload.run.RunListener;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Prints a run's progress: the lines that reports begin with, and a live line on a terminal that is rewritten every
 * second; without a terminal a line every ten seconds, on another stream.
 */
public final class ProgressPrinter implements RunListener {

    /** Moves to the line's beginning and erases the line. */
    public static final String ERASE = "\r\033[K";

    private static final long SECONDS_BETWEEN_LINES = 10;

    private final PrintStream out;
    private final LiveLine text;
    /** Gets the live line, or a line every ten seconds. */
    private final PrintStream beside;
    /** The width of the live line; {@code null} without one. */
    private final IntSupplier columns;

    private long linesOfPhase;

    private ProgressPrinter(PrintStream out, LiveLine text, PrintStream beside, IntSupplier columns) {
        this.out = out;
        this.text = text;
        this.beside = beside;
        this.columns = columns;
    }

    /**
     * For a terminal.
     *
     * @param out gets a line at the start and end of each phase
     * @param live the terminal's stream, which may be {@code out}
     */
    public static ProgressPrinter live(PrintStream out, PrintStream live, List<Phase> phases, IntSupplier columns) {
        return new ProgressPrinter(out, new LiveLine(phases), live, columns);
    }

    /**
     * For a file or a pipe.
     *
     * @param beside gets a line every ten seconds of a phase
     */
    public static ProgressPrinter plain(PrintStream out, List<Phase> phases, PrintStream beside) {
        return new ProgressPrinter(out, new LiveLine(phases), beside, null);
    }

    @Override
    public void runStarted(Instant at) {
        line(TextReport.startLine(at));
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        linesOfPhase = 0;
        line(TextReport.phaseStartLine(phase.name(), users));
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        line(TextReport.phaseEndLine(phase.name(), wall));
    }

    @Override
    public void progress(Progress progress) {
        if (columns != null) {
            // Some terminals wrap in the last column.
            beside.print(ERASE + text.of(progress, columns.getAsInt() - 1));
            beside.flush();
        } else if (progress.elapsed().toSeconds() / SECONDS_BETWEEN_LINES > linesOfPhase) {
            linesOfPhase = progress.elapsed().toSeconds() / SECONDS_BETWEEN_LINES;
            beside.println(text.of(progress, Integer.MAX_VALUE));
            beside.flush();
        }
    }

    private void line(String text) {
        if (columns != null) {
            beside.print(ERASE);
            beside.flush();
        }
        out.println(text);
        out.flush();
    }
}
