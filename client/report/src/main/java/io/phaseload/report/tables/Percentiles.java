package io.phaseload.report.tables;

import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.timing.Timing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
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
        long n = nanos.getTotalCount();
        for (int i = 0; n > 0; i++) {
            double oneIn = Math.pow(10, (double) i / STEPS_A_DECADE);
            double p = 1 - 1 / oneIn;
            if (i > 0 && !supports(n, p)) {
                return;
            }
            point.accept(oneIn, i == 0 ? millis(nanos.getMinValue()) : millis(nanos.getValueAtPercentile(100 * p)));
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

    /**
     * Curves of each phase, of all operations and of some: of all requests, and where some failed of successes and
     * failures, too.
     */
    static Table curves(List<Bin> bins, List<String> operations, List<Integer> some) {
        Table.Builder table = new Table.Builder(
                "percentiles",
                Column.text("phase"),
                Column.text("operation"),
                Column.text("kind"),
                Column.text("outcome"),
                Column.of("percentile", "percentile", "%"),
                Column.of("one_in", "one request in", ""),
                Column.of("ms", "time", "ms"));
        each(byPhase(bins), operations, some, (phase, operation, sum) -> {
            for (Timing timing : CURVES) {
                curve(table, sum.histogram(timing), phase, operation, timing.key(), "all");
            }
            long failed = sum.histogram(Timing.FAILED).getTotalCount();
            if (failed > 0 && failed < sum.requests()) {
                String of = Timing.RESPONSE.key();
                Histogram succeeded = sum.responseOfSuccesses();
                curve(table, succeeded, phase, operation, of, "succeeded");
                curve(table, sum.histogram(Timing.FAILED), phase, operation, of, "failed");
            }
        });
        return table.build();
    }

    private static void curve(Table.Builder table, Histogram times, String... names) {
        curve(times, (oneIn, ms) -> {
            List<Object> row = new ArrayList<>(List.of(names));
            row.addAll(List.of(percentile(oneIn), oneIn, ms));
            table.row(row);
        });
    }

    /** With more decimal places than nines, so that it isn't rounded to 100. */
    public static BigDecimal percentile(double oneIn) {
        int places = 1 + (int) Math.ceil(Math.log10(oneIn));
        return BigDecimal.valueOf(100 - 100 / oneIn).setScale(places, RoundingMode.HALF_UP);
    }

    /**
     * How many requests took how long, in the measured phases together and in each phase, of all operations and of
     * some.
     */
    static Table distribution(List<Bin> bins, List<String> measured, List<String> operations, List<Integer> some) {
        Table.Builder table = new Table.Builder(
                "distribution",
                Column.text("phase"),
                Column.text("operation"),
                Column.text("times"),
                Column.text("outcome"),
                Column.of("low_ms", "from", "ms"),
                Column.of("high_ms", "to", "ms"),
                Column.count("count"),
                Column.of("percent", "of all", "%"));
        each(
                selections(bins, measured),
                operations,
                some,
                (phase, operation, sum) -> distribution(table, phase, operation, sum));
        return table.build();
    }

    /** The percentiles to mark in each distribution: of successes, and of all service times. */
    static Table marks(List<Bin> bins, List<String> measured, List<String> operations, List<Integer> some) {
        Table.Builder table = new Table.Builder(
                "marks",
                Column.text("phase"),
                Column.text("operation"),
                Column.text("times"),
                Column.text("figure"),
                Column.of("ms", "time", "ms"));
        each(selections(bins, measured), operations, some, (phase, operation, sum) -> {
            for (int percent : MARKED) {
                mark(table, sum.responseOfSuccesses(), percent, phase, operation, "response");
                mark(table, sum.histogram(Timing.SERVICE), percent, phase, operation, "service");
            }
        });
        return table.build();
    }

    private static void mark(Table.Builder table, Histogram times, int percent, String... names) {
        Double ms = millis(times, percent);
        if (ms != null) {
            List<Object> row = new ArrayList<>(List.of(names));
            row.addAll(List.of("p" + percent, ms));
            table.row(row);
        }
    }

    /** All measured phases together come first, which is what the chart opens with. */
    private static Map<String, List<Bin>> selections(List<Bin> bins, List<String> measured) {
        Map<String, List<Bin>> phases = new LinkedHashMap<>();
        phases.put(
                measured.size() == 1 ? measured.get(0) : "(measured)",
                bins.stream().filter(bin -> measured.contains(bin.phase())).toList());
        phases.putAll(byPhase(bins));
        return phases;
    }

    /** The requests of a phase and an operation, or of all of them. */
    private interface TallyReader {
        void of(String phase, String operation, Tally sum);
    }

    private static Map<String, List<Bin>> byPhase(List<Bin> bins) {
        return bins.stream().collect(Collectors.groupingBy(Bin::phase, LinkedHashMap::new, Collectors.toList()));
    }

    private static void each(
            Map<String, List<Bin>> phases, List<String> operations, List<Integer> some, TallyReader requests) {
        phases.forEach((phase, own) -> {
            requests.of(
                    phase,
                    Operations.ALL,
                    Tallies.sum(own.stream().map(Bin::all).toList()));
            for (int i : operations.size() > 1 ? some : List.<Integer>of()) {
                requests.of(
                        phase,
                        operations.get(i),
                        Tallies.sum(
                                own.stream().map(bin -> bin.operations().get(i)).toList()));
            }
        });
    }

    private static void distribution(Table.Builder table, String phase, String operation, Tally sum) {
        distribution(table, sum.responseOfSuccesses(), sum, phase, operation, "response", "succeeded");
        distribution(table, sum.histogram(Timing.FAILED), sum, phase, operation, "response", "failed");
        distribution(table, sum.histogram(Timing.SERVICE), sum, phase, operation, "service", "all");
    }

    private static void distribution(Table.Builder table, Histogram times, Tally sum, String... names) {
        cells(times).forEach((cell, count) -> {
            List<Object> row = new ArrayList<>(List.of(names));
            row.addAll(List.of(edge(cell), edge(cell + 1), count, 100.0 * count / sum.requests()));
            table.row(row);
        });
    }

    /** Whether so many samples support a percentile. */
    static boolean supports(long samples, double p) {
        return p < 0.5 ? samples > 0 : QuantileRanks.of(p, samples).isPresent();
    }
}
