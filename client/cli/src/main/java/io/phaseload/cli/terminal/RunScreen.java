package io.phaseload.cli.terminal;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Phase;
import io.phaseload.report.text.TextReport;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A run on the whole of a terminal, drawn once a second. At the end the terminal shows its earlier content again, also
 * if the JVM exits. Thread-safe.
 */
public final class RunScreen implements RunListener, AutoCloseable {

    /** The alternate screen, without a cursor (xterm's control sequences). */
    static final String ENTER = "\033[?1049h\033[?25l";

    static final String LEAVE = "\033[?25h\033[?1049l";

    private static final String HOME = "\033[H";
    private static final String END_OF_LINE = "\033[K\r\n";
    private static final String REST = "\033[J";

    private static final int MOST_CAUSES = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    private final PrintStream out;
    private final List<Phase> phases;
    private final Supplier<TerminalSize> size;
    private final char block;
    private final LiveLine line;
    private final Thread atExit = new Thread(this::close);
    // Guarded by this, all of them.
    private final List<String> later = new ArrayList<>();
    private final Sparkline rate;
    private final Sparkline median;
    private final Sparkline p99;
    private final Sparkline failed;
    private final Map<String, Long> causes = new LinkedHashMap<>();
    private LatencyBars bars = new LatencyBars(List.of());
    private String note = "";
    private boolean open;
    private boolean closed;
    private int users;

    /**
     * A screen that is opened when the run begins.
     *
     * @param out the terminal
     * @param size is asked before each drawing
     * @param block see {@link Terminal#block()}
     */
    public RunScreen(PrintStream out, List<Phase> phases, Supplier<TerminalSize> size, char block) {
        this.out = out;
        this.phases = phases;
        this.size = size;
        this.block = block;
        this.line = new LiveLine(phases);
        this.rate = new Sparkline("requests/s", "", block != '#');
        this.median = new Sparkline("p50", " ms", block != '#');
        this.p99 = new Sparkline("p99", " ms", block != '#');
        this.failed = new Sparkline("failed", " %", block != '#');
    }

    @Override
    public synchronized void runStarted(Instant at) {
        later.add(TextReport.startLine(at));
        if (!closed) {
            open = true;
            Runtime.getRuntime().addShutdownHook(atExit);
            out.print(ENTER);
            out.flush();
        }
    }

    @Override
    public synchronized void phaseStarted(Phase phase, int count) {
        users = count;
        bars = new LatencyBars(List.of(phase.name()));
        said(TextReport.phaseStartLine(phase.name(), count));
    }

    @Override
    public synchronized void phaseFinished(Phase phase, Duration wall) {
        said(TextReport.phaseEndLine(phase.name(), wall));
    }

    /** Shows a text of one or more lines below all else, until the next one. */
    public synchronized void note(String text) {
        note = text;
    }

    /** A line that reports begin with comes after the screen is gone. */
    private void said(String text) {
        if (closed) {
            out.println(text);
            out.flush();
        } else {
            later.add(text);
        }
    }

    @Override
    public synchronized void interval(Interval interval) {
        Histogram times = new Histogram(3);
        long failures = 0;
        for (Tally tally : interval.operations()) {
            times.add(tally.histogram(Timing.RESPONSE));
            failures += tally.failed();
            tally.causes().forEach((cause, of) -> causes.merge(cause, of.count(), Long::sum));
        }
        bars.interval(interval);
        long requests = times.getTotalCount();
        double seconds = Math.max(1, interval.length().toNanos()) / 1e9;
        rate.add(requests / seconds);
        median.add(requests == 0 ? 0 : times.getValueAtPercentile(50) / NANOS_PER_MILLI);
        p99.add(requests == 0 ? 0 : times.getValueAtPercentile(99) / NANOS_PER_MILLI);
        failed.add(requests == 0 ? 0 : 100.0 * failures / requests);
    }

    @Override
    public synchronized void progress(Progress progress) {
        if (open) {
            TerminalSize now = size.get();
            StringBuilder text = new StringBuilder(HOME);
            // The last line stays empty: a line feed in it would scroll.
            lines(progress, now.columns() - 1).stream().limit(now.rows() - 1).forEach(of -> text.append(
                            of.length() < now.columns() ? of : of.substring(0, now.columns() - 1))
                    .append(END_OF_LINE));
            out.print(text.append(REST));
            out.flush();
        }
    }

    private List<String> lines(Progress progress, int columns) {
        List<String> lines = new ArrayList<>();
        lines.add(line.of(progress, columns));
        lines.add(phases(progress.phase()));
        lines.add("");
        for (Sparkline of : List.of(rate, median, p99, failed)) {
            lines.add(of.text(columns));
        }
        if (!causes.isEmpty()) {
            lines.add("");
            lines.add("Failures by cause");
            causes.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                    .limit(MOST_CAUSES)
                    .forEach(of -> lines.add(String.format(Locale.ROOT, "%,12d  %s", of.getValue(), of.getKey())));
        }
        lines.add("");
        lines.add("Response times of " + progress.phase().name());
        lines.addAll(bars.lines(columns, block));
        lines.add("");
        lines.addAll(note.lines().toList());
        lines.add("Ctrl-C stops the run and writes its results");
        return lines;
    }

    private String phases(Phase now) {
        StringBuilder all = new StringBuilder();
        for (Phase phase : phases) {
            all.append(all.isEmpty() ? "" : "  ")
                    .append(
                            phase.equals(now)
                                    ? String.format(Locale.ROOT, "[%s, %,d users]", phase.name(), users)
                                    : phase.name());
        }
        return all.toString();
    }

    /** Leaves the screen, and prints the lines that came meanwhile. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (open) {
            open = false;
            out.print(LEAVE);
            later.forEach(out::println);
            out.flush();
            if (Thread.currentThread() != atExit) {
                removeHook();
            }
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // It has nothing left to do.
        }
    }
}
