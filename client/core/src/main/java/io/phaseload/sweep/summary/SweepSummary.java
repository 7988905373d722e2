package io.phaseload.sweep.summary;

import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.Description;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The summary of a sweep: each step over its trials, and how throughput grows with users.
 *
 * @param steps the steps with finished trials, in order
 * @param scalability one per group of steps that differ only in the number of users
 */
public record SweepSummary(List<StepSummary> steps, List<Scalability> scalability) {

    /** The figures that a sweep has besides its metrics, by column of {@code trials.csv}, in the order of reports. */
    public static final List<String> FIGURES = List.of(
            TrialRow.OPS_PER_SECOND,
            TrialRow.FAILED_PERCENT,
            TrialRow.MEAN_MS,
            TrialRow.P50_MS,
            TrialRow.P95_MS,
            TrialRow.P99_MS,
            TrialRow.MAX_MS,
            TrialRow.SERVER_CPU_PERCENT);

    private static final Set<String> PERCENTILES = Set.of(TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS);

    /**
     * One step over its trials.
     *
     * @param step the step
     * @param threads the number of users
     * @param trials the number of trials that were measured
     * @param failures why others weren't, without duplicates
     * @param littlesLaw the median share of the users' time that requests account for, about 1; empty where it can't be
     *     audited
     * @param operations each over the trials that were measured
     */
    public record StepSummary(
            Step step,
            int threads,
            int trials,
            List<String> failures,
            OptionalDouble littlesLaw,
            List<OperationSummary> operations) {}

    /**
     * One operation of one step over the trials that were measured.
     *
     * @param name the operation's
     * @param totalOps requests of all trials
     * @param failed those that failed
     * @param wallSeconds of all trials
     * @param figures each figure over the trials, by column of {@code trials.csv}; a percentile only if all trials have
     *     enough requests for it
     */
    public record OperationSummary(
            String name, long totalOps, long failed, double wallSeconds, Map<String, Spread> figures) {

        /**
         * A figure's median.
         *
         * @param column of {@code trials.csv}
         * @return over the trials that have it, or NaN
         */
        public double median(String column) {
            return figures.containsKey(column) ? figures.get(column).median() : Double.NaN;
        }
    }

    /**
     * A figure over trials, each of which counts as one value.
     *
     * @param trials the number of trials that have it
     * @param median of the trials
     * @param low of the median's interval
     * @param high of the median's interval
     * @param coverage of the interval: 0.95 or more from six trials on, less for fewer
     * @param interquartileRange the spread of the middle half
     * @param min the least
     * @param max the greatest
     */
    public record Spread(
            int trials,
            double median,
            double low,
            double high,
            double coverage,
            double interquartileRange,
            double min,
            double max) {

        /**
         * Summarizes values.
         *
         * @param values one per trial, at least one
         * @return their summary
         */
        public static Spread of(double... values) {
            Description described = Description.of(values);
            ConfidenceInterval interval = ConfidenceInterval.ofMedian(values);
            return new Spread(
                    values.length,
                    described.median(),
                    interval.low(),
                    interval.high(),
                    interval.coverage(),
                    described.interquartileRange(),
                    described.min(),
                    described.max());
        }
    }

    /**
     * Sums a sweep up.
     *
     * @param steps all its steps
     * @param rows of the trials that are over
     * @param metrics the metrics' columns
     * @param seed the seed of the fits' intervals
     * @return the summary
     */
    public static SweepSummary of(List<Step> steps, List<TrialRow> rows, List<String> metrics, long seed) {
        List<StepSummary> summaries = new ArrayList<>();
        for (Step step : steps) {
            List<TrialRow> own =
                    rows.stream().filter(row -> row.step() == step.number()).toList();
            if (!own.isEmpty()) {
                summaries.add(step(step, own, metrics));
            }
        }
        return new SweepSummary(summaries, Scalability.of(steps, rows, seed));
    }

    private static StepSummary step(Step step, List<TrialRow> rows, List<String> metrics) {
        List<TrialRow> ok = rows.stream().filter(TrialRow::isOk).toList();
        double[] laws = values(ok, TrialRow.LITTLES_LAW);
        return new StepSummary(
                step,
                (int) rows.get(0).number(TrialRow.THREADS).orElse(0),
                (int) ok.stream().map(TrialRow::trial).distinct().count(),
                rows.stream()
                        .filter(row -> !row.isOk())
                        .map(row -> row.text(TrialRow.REASON))
                        .distinct()
                        .toList(),
                laws.length == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(Description.of(laws).median()),
                ok.stream()
                        .map(TrialRow::operation)
                        .distinct()
                        .map(name -> operation(name, ok, metrics))
                        .toList());
    }

    private static OperationSummary operation(String name, List<TrialRow> rows, List<String> metrics) {
        List<TrialRow> own =
                rows.stream().filter(row -> row.operation().equals(name)).toList();
        Map<String, Spread> figures = new LinkedHashMap<>();
        List<String> columns = new ArrayList<>(FIGURES);
        columns.addAll(metrics);
        for (String column : columns) {
            double[] values = values(own, column);
            // If trials with too few requests were left out, a p99 could be below the p95 of all
            // trials.
            boolean supported = values.length == own.size() || !PERCENTILES.contains(column);
            if (values.length > 0 && supported) {
                figures.put(column, Spread.of(values));
            }
        }
        return new OperationSummary(
                name,
                (long) sum(own, TrialRow.TOTAL_OPS),
                (long) sum(own, TrialRow.FAILED),
                sum(own, TrialRow.WALL_S),
                figures);
    }

    /**
     * A column's numbers.
     *
     * @param rows any
     * @param column its name
     * @return the numbers of the rows that have one, in order
     */
    public static double[] values(List<TrialRow> rows, String column) {
        return rows.stream()
                .map(row -> row.number(column))
                .filter(number -> number.isPresent())
                .mapToDouble(number -> number.getAsDouble())
                .toArray();
    }

    /**
     * The sum of a column's numbers.
     *
     * @param rows any
     * @param column its name
     * @return the sum; 0 of no numbers
     */
    public static double sum(List<TrialRow> rows, String column) {
        return DoubleStream.of(values(rows, column)).sum();
    }

    /**
     * The trials of a step that were measured.
     *
     * @param step the step
     * @param rows of any steps
     * @return the rows of each of these trials, in the order in which they were run
     */
    public static Collection<List<TrialRow>> measured(Step step, List<TrialRow> rows) {
        return rows.stream()
                .filter(row -> row.step() == step.number() && row.isOk())
                .collect(Collectors.groupingBy(TrialRow::trial, LinkedHashMap::new, Collectors.toList()))
                .values();
    }
}
