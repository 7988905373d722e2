package io.phaseload.report.tables.runs;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** The steps of a sweep: the tables for people, with one row per step and operation. */
public final class StepTables {

    /** The column with the operation. */
    public static final String OPERATION = "operation";

    private static final Set<String> PERCENTILES = Set.of(TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS);

    private final SweepResult sweep;
    private final SweepSummary summary;
    private final List<String> varied;

    private StepTables(SweepResult sweep) {
        this.sweep = sweep;
        this.summary = sweep.summary();
        // Threads have their own column.
        this.varied = SweepAxes.of(sweep).names().stream()
                .filter(name -> !name.equals(Step.THREADS))
                .toList();
    }

    /**
     * The table that is usual in publications. Times are medians of the trials, the maximum is that of all trials.
     *
     * @return the table {@code clients}
     */
    public static Table clients(SweepResult sweep) {
        return new StepTables(sweep).clients();
    }

    private Table clients() {
        Columns<Row<OperationSummary>> columns = this.<OperationSummary>columns()
                .add(new Column("total_ops", "total_ops", "", 0), of -> of.of().totalOps())
                .add(new Column("op/s", "op/s", "", 1), of -> of.of().median(TrialRow.OPS_PER_SECOND))
                .number("mean", "mean", "", of -> median(of.of(), TrialRow.MEAN_MS))
                .number("med", "med", "", of -> median(of.of(), TrialRow.P50_MS))
                .number(".95", ".95", "", of -> median(of.of(), TrialRow.P95_MS))
                .number(".99", ".99", "", of -> median(of.of(), TrialRow.P99_MS))
                .number("max", "max", "", of -> longest(of.of()))
                .number("op_time", "op_time", "", of -> of.of().wallSeconds())
                .add(new Column("failed", "failed", "%", 2), of -> failedPercent(of.of()));
        sweep.metrics().forEach(metric -> columns.number(metric, metric, "", of -> median(of.of(), metric)));
        return columns.table("clients", operations());
    }

    private static Object longest(OperationSummary of) {
        Spread longest = of.figures().get(TrialRow.MAX_MS);
        return longest == null ? Missing.NOT_MEASURED : longest.max();
    }

    private static double failedPercent(OperationSummary of) {
        return of.totalOps() == 0 ? 0 : 100.0 * of.failed() / of.totalOps();
    }

    private static Object median(OperationSummary of, String figure) {
        Spread spread = of.figures().get(figure);
        return spread == null ? missing(figure) : (Object) spread.median();
    }

    private static Missing missing(String figure) {
        return PERCENTILES.contains(figure) ? Missing.TOO_FEW : Missing.NOT_MEASURED;
    }

    /**
     * The medians of the trials' figures and, with several trials, their intervals.
     *
     * @return the table {@code medians}
     */
    public static Table medians(SweepResult sweep) {
        return new StepTables(sweep).medians();
    }

    private Table medians() {
        Columns<Row<OperationSummary>> columns = this.<OperationSummary>columns()
                .count("trials", of -> of.step().trials())
                .add(new Column("confidence", "confidence", "%", 1), of -> confidence(of.of()));
        SweepTables.figures(sweep)
                .filter(this::isMeasured)
                .forEach(figure -> columns.add(
                        SweepTables.column(figure),
                        of -> spread(of.of().figures().get(figure), figure)));
        return columns.table("medians", operations());
    }

    private static Double confidence(OperationSummary of) {
        Spread rate = of.figures().get(TrialRow.OPS_PER_SECOND);
        return rate == null || rate.trials() == 1 ? null : 100 * rate.coverage();
    }

    private boolean isMeasured(String figure) {
        return SweepTables.operations(summary).anyMatch(of -> of.figures().containsKey(figure));
    }

    private static Object spread(Spread spread, String figure) {
        if (spread == null) {
            return missing(figure);
        }
        return spread.trials() == 1 ? (Object) spread.median() : interval(spread.median(), spread.low(), spread.high());
    }

    /**
     * Percentiles of single runs with their intervals, based on the number of independent samples that each run is
     * worth.
     *
     * @return the table {@code within-runs}
     */
    public static Table withinRuns(SweepResult sweep) {
        return new StepTables(sweep).withinRuns();
    }

    private Table withinRuns() {
        return this.<TrialRow>columns()
                .count("n", of -> of.of().text(TrialRow.TOTAL_OPS))
                .number("effective_n", "effective n of med", "", of -> of.of().text("effective_n"))
                .number("p50", "med", "", of -> interval(of.of(), "p50"))
                .number("p95", ".95", "", of -> interval(of.of(), "p95"))
                .number("p99", ".99", "", of -> interval(of.of(), "p99"))
                .table("within-runs", summary.steps().stream().flatMap(step -> sweep.rows().stream()
                        .filter(trial -> trial.step() == step.step().number()
                                && trial.number("effective_n").isPresent())
                        .map(trial -> new Row<>(step, trial.operation(), trial))));
    }

    private static Object interval(TrialRow row, String percentile) {
        OptionalDouble value = row.number(percentile + "_ms");
        OptionalDouble low = row.number(percentile + "_low_ms");
        OptionalDouble high = row.number(percentile + "_high_ms");
        return value.isEmpty() || low.isEmpty() || high.isEmpty()
                ? Missing.TOO_FEW
                : interval(value.getAsDouble(), low.getAsDouble(), high.getAsDouble());
    }

    private static String interval(double value, double low, double high) {
        return TextFormat.format("%.3f [%.3f..%.3f]", value, low, high);
    }

    /** All tables begin with the columns that identify a row. */
    private <T> Columns<Row<T>> columns() {
        Columns<Row<T>> columns = new Columns<Row<T>>().text(OPERATION, Row::operation);
        varied.forEach(name -> columns.add(
                new Column(name, name, "", Column.TEXT),
                of -> of.step().step().values().getOrDefault(name, "")));
        return columns.add(
                new Column("threads", "# clients", "", 0), of -> of.step().threads());
    }

    /** The figures of an operation in a step. */
    private record Row<T>(StepSummary step, String operation, T of) {}

    private Stream<Row<OperationSummary>> operations() {
        return summary.steps().stream()
                .flatMap(step -> step.operations().stream().map(of -> new Row<>(step, of.name(), of)));
    }
}
