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
 * Prints a run's progress: the lines that reports begin with and, on a terminal, a live line below them that is
 * rewritten every second; elsewhere a line every ten seconds, on another stream.
 */
public final class ProgressPrinter implements RunListener {

    /** Moves to the line's beginning and erases the line. */
    static final String ERASE = "\r\033[K";

    private static final long SECONDS_BETWEEN_LINES = 10;

    private final PrintStream out;
    private final LiveLine text;
    // One of these is set: the width of the live line, or the stream for a line every ten seconds.
    private final IntSupplier columns;
    private final PrintStream beside;
    private long linesOfPhase;

    private ProgressPrinter(PrintStream out, LiveLine text, IntSupplier columns, PrintStream beside) {
        this.out = out;
        this.text = text;
        this.columns = columns;
        this.beside = beside;
    }

    /** For a terminal. */
    public static ProgressPrinter live(PrintStream out, List<Phase> phases, IntSupplier columns) {
        return new ProgressPrinter(out, new LiveLine(phases), columns, null);
    }

    /**
     * For a file or a pipe.
     *
     * @param beside gets a line every ten seconds of a phase
     */
    public static ProgressPrinter plain(PrintStream out, List<Phase> phases, PrintStream beside) {
        return new ProgressPrinter(out, new LiveLine(phases), null, beside);
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
            out.print(ERASE + text.of(progress, columns.getAsInt() - 1));
            out.flush();
        } else if (progress.elapsed().toSeconds() / SECONDS_BETWEEN_LINES > linesOfPhase) {
            linesOfPhase = progress.elapsed().toSeconds() / SECONDS_BETWEEN_LINES;
            beside.println(text.of(progress, Integer.MAX_VALUE));
            beside.flush();
        }
    }

    private void line(String text) {
        out.println((columns != null ? ERASE : "") + text);
        out.flush();
    }
}
