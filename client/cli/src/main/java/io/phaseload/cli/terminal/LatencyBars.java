package io.phaseload.cli.terminal;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The distribution of response times as bars for a terminal. Called by one thread at a time. */
public final class LatencyBars implements RunListener {

    private static final int WIDEST = 40;

    /** The columns before a bar: its bound, percentage and count. */
    private static final int BESIDE = 37;

    private static final double[] STEPS = {1, 2, 5};

    private final Collection<String> phases;
    private final Histogram nanos = new Histogram(3);

    /** Makes bars of no times yet. */
    public LatencyBars(Collection<String> phases) {
        this.phases = phases;
    }

    @Override
    public void interval(Interval interval) {
        if (phases.contains(interval.phase())) {
            for (Tally tally : interval.operations()) {
                add(tally.histogram(Timing.RESPONSE));
            }
        }
    }

    /** Adds response times in nanoseconds. */
    void add(Histogram times) {
        nanos.add(times);
    }

    /**
     * The bars.
     *
     * @param columns the longest line
     * @return lines that end in line feeds; none if nothing was measured
     */
    public String text(int columns, char block) {
        List<String> lines = lines(columns, block);
        return lines.isEmpty() ? "" : "\nLatency, measured phases:\n" + String.join("\n", lines) + "\n";
    }

    /** The bars alone. */
    List<String> lines(int columns, char block) {
        List<String> out = new ArrayList<>();
        if (nanos.getTotalCount() == 0) {
            return out;
        }
        double longest = longest();
        int widest = Math.max(1, Math.min(WIDEST, columns - BESIDE));
        for (long from = 0, to = first(); ; from = to, to = next(to)) {
            long count = count(from, to);
            out.add(String.format(
                            Locale.ROOT,
                            "  <= %7s  %5.1f %%  %12d  %s",
                            time(to),
                            100.0 * count / nanos.getTotalCount(),
                            count,
                            bar(count / longest, widest, block))
                    .stripTrailing());
            if (to >= nanos.getMaxValue()) {
                return out;
            }
        }
    }

    private double longest() {
        double longest = 1;
        for (long from = 0, to = first(); from < nanos.getMaxValue(); from = to, to = next(to)) {
            longest = Math.max(longest, count(from, to));
        }
        return longest;
    }

    /** Times above the first and up to the second, within the histogram's resolution. */
    private long count(long from, long to) {
        long upTo = nanos.getCountBetweenValues(0, to);
        return from == 0 ? upTo : upTo - nanos.getCountBetweenValues(0, from);
    }

    private static String bar(double part, int widest, char block) {
        return part == 0 ? "" : String.valueOf(block).repeat((int) Math.max(1, Math.round(part * widest)));
    }

    /** The smallest of 1, 2, 5, 10, … that is above some times. */
    private long first() {
        long bound = 1000;
        while (nanos.getCountBetweenValues(0, bound) == 0) {
            bound = next(bound);
        }
        return bound;
    }

    private static long next(long bound) {
        double power = Math.pow(10, Math.floor(Math.log10(bound * 1.01)));
        for (double step : STEPS) {
            if (step * power > bound * 1.01) {
                return Math.round(step * power);
            }
        }
        return Math.round(10 * power);
    }

    private static String time(long nanos) {
        if (nanos < 1_000_000) {
            return nanos / 1000 + " us";
        }
        return nanos < 1_000_000_000 ? nanos / 1_000_000 + " ms" : nanos / 1_000_000_000 + " s";
    }
}
