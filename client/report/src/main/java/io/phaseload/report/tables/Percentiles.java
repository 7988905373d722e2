package io.phaseload.report.tables;

import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Bins.Tallied;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.stats.RecordedValues;
import io.phaseload.timing.Timing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** How times are distributed: percentiles, if there are enough samples, and cells. */
public final class Percentiles {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int STEPS_A_DECADE = 20;
    private static final int CELLS_A_DECADE = 8;

    private static final List<Timing> CURVES = Timing.all().stream()
            .filter(timing -> timing.is(Timing.Use.DISTRIBUTION))
            .toList();

    private static final List<Integer> MARKED = List.of(50, 95, 99);

    private Percentiles() {}

    /** A percentile in ms, or {@code null} if there are too few samples for it. */
    static Double millis(Histogram nanos, double percent) {
        return supports(nanos.getTotalCount(), percent / 100) ? millis(nanos.getValueAtPercentile(percent)) : null;
    }

    /** The longest time in ms, or {@code null} if there is none. */
    static Double maxMillis(Histogram nanos) {
        return nanos.getTotalCount() == 0 ? null : millis(nanos.getMaxValue());
    }

    /** A microsecond at least: tables have no less, and a logarithmic axis has no zero. */
    static double millis(long nanos) {
        return Math.max(nanos, NANOS_PER_MICRO) / NANOS_PER_MILLI;
    }

    /**
     * A curve from the shortest time to the highest percentile with enough samples.
     *
     * @param nanos the times
     * @param point receives {@code 1/(1 − p)} (one in this many requests took longer) and the time in ms
     */
    public static void curve(Histogram nanos, BiConsumer<Double, Double> point) {
        RecordedValues recorded = RecordedValues.of(nanos);
        long n = recorded.total();
        for (int i = 0; n > 0; i++) {
            double oneIn = Math.pow(10, (double) i / STEPS_A_DECADE);
            double p = 1 - 1 / oneIn;
            if (i > 0 && !supports(n, p)) {
                return;
            }
            point.accept(oneIn, i == 0 ? millis(nanos.getMinValue()) : millis(recorded.atPercentile(100 * p)));
        }
    }

    /**
     * The number of times in each cell of a logarithmic axis, eight a decade.
     *
     * @param times in nanoseconds; what is shorter than a microsecond counts as one
     * @return those that aren't empty; cell i begins at 10<sup>i/8</sup> ms
     */
    public static Map<Integer, Long> cells(Histogram times) {
        return cells(times, CELLS_A_DECADE);
    }

    /** The same with any number of cells in a power of ten. */
    static Map<Integer, Long> cells(Histogram times, int perDecade) {
        Map<Integer, Long> cells = new TreeMap<>();
        for (HistogramIterationValue value : times.recordedValues()) {
            double ms = millis(value.getValueIteratedTo());
            cells.merge((int) Math.floor(perDecade * Math.log10(ms)), value.getCountAtValueIteratedTo(), Long::sum);
        }
        return cells;
    }

    /** Where a cell begins, in ms. */
    static double edge(int cell) {
        return Math.pow(10, (double) cell / CELLS_A_DECADE);
    }

    /** Curves of all requests, and where some failed of successes and failures, too. */
    static Table curves(Stream<Tallied> phases) {
        Table.Builder table = new Table.Builder("percentiles")
                .texts("phase", "operation", "kind", "outcome")
                .number("percentile", "percentile", "%")
                .number("one_in", "one request in", "")
                .number("ms", "time", "ms");
        phases.forEach(of -> {
            Tally sum = of.sum();
            CURVES.stream()
                    .filter(timing -> sum.count(timing) > 0)
                    .forEach(timing -> curve(table, of, timing, sum.histogram(timing), "all"));
            if (sum.failed() > 0 && sum.failed() < sum.requests()) {
                curve(table, of, Timing.RESPONSE, sum.responseOfSuccesses(), "succeeded");
                curve(table, of, Timing.RESPONSE, sum.histogram(Timing.FAILED), "failed");
            }
        });
        return table.build();
    }

    private static void curve(Table.Builder table, Tallied of, Timing kind, Histogram times, String outcome) {
        curve(
                times,
                (oneIn, ms) ->
                        table.row(of.phase(), of.operation(), kind.key(), outcome, percentile(oneIn), oneIn, ms));
    }

    /** With more decimal places than nines, so that it isn't rounded to 100. */
    public static BigDecimal percentile(double oneIn) {
        int places = 1 + (int) Math.ceil(Math.log10(oneIn));
        return BigDecimal.valueOf(100 - 100 / oneIn).setScale(places, RoundingMode.HALF_UP);
    }

    /** How many requests took how long. */
    static Table distribution(Stream<Tallied> phases) {
        Table.Builder table = new Table.Builder("distribution")
                .texts("phase", "operation", "times", "outcome")
                .number("low_ms", "from", "ms")
                .number("high_ms", "to", "ms")
                .count("count")
                .number("percent", "of all", "%");
        phases.forEach(of -> {
            distribution(table, of, of.sum().responseOfSuccesses(), "response", "succeeded");
            if (of.sum().failed() > 0) {
                distribution(table, of, of.sum().histogram(Timing.FAILED), "response", "failed");
            }
            distribution(table, of, of.sum().histogram(Timing.SERVICE), "service", "all");
        });
        return table.build();
    }

    private static void distribution(Table.Builder table, Tallied of, Histogram times, String kind, String outcome) {
        cells(times).forEach((cell, count) -> {
            double percent = 100.0 * count / of.sum().requests();
            table.row(of.phase(), of.operation(), kind, outcome, edge(cell), edge(cell + 1), count, percent);
        });
    }

    /** The percentiles to mark in each distribution: of successes, and of all service times. */
    static Table marks(Stream<Tallied> phases) {
        Table.Builder table = new Table.Builder("marks")
                .texts("phase", "operation", "times", "figure")
                .number("ms", "time", "ms");
        phases.forEach(of -> {
            Histogram successes = of.sum().responseOfSuccesses();
            Histogram service = of.sum().histogram(Timing.SERVICE);
            MARKED.forEach(percent -> {
                mark(table, of, successes, percent, "response");
                mark(table, of, service, percent, "service");
            });
        });
        return table.build();
    }

    private static void mark(Table.Builder table, Tallied of, Histogram times, int percent, String kind) {
        Double ms = millis(times, percent);
        if (ms != null) {
            table.row(of.phase(), of.operation(), kind, "p" + percent, ms);
        }
    }

    /** Whether so many samples support a percentile. */
    static boolean supports(long samples, double p) {
        return p < 0.5 ? samples > 0 : QuantileRanks.of(p, samples).isPresent();
    }
}
