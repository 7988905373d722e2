package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        List<Column> columns = columns(
                new Column("total_ops", "total_ops", "", 0),
                new Column("op/s", "op/s", "", 1),
                Column.of("mean", "mean", ""),
                Column.of("med", "med", ""),
                Column.of(".95", ".95", ""),
                Column.of(".99", ".99", ""),
                Column.of("max", "max", ""),
                Column.of("op_time", "op_time", ""),
                new Column("failed", "failed", "%", 2));
        sweep.metrics().forEach(metric -> columns.add(Column.of(metric, metric, "")));
        Table.Builder table = new Table.Builder("clients", columns);
        for (StepSummary step : summary.steps()) {
            for (OperationSummary of : step.operations()) {
                List<Object> row = start(step, of.name());
                row.add(of.totalOps());
                row.add(of.median(TrialRow.OPS_PER_SECOND));
                for (String time : List.of(TrialRow.MEAN_MS, TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS)) {
                    row.add(median(of, time));
                }
                Spread longest = of.figures().get(TrialRow.MAX_MS);
                row.add(longest == null ? Missing.NOT_MEASURED : longest.max());
                row.add(of.wallSeconds());
                row.add(of.totalOps() == 0 ? 0 : 100.0 * of.failed() / of.totalOps());
                sweep.metrics().forEach(metric -> row.add(median(of, metric)));
                table.row(row);
            }
        }
        return table.build();
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
        List<String> figures = Stream.concat(sweep.metrics().stream(), SweepSummary.FIGURES.stream())
                .filter(this::isMeasured)
                .toList();
        List<Column> columns = columns(Column.count("trials"), new Column("confidence", "confidence", "%", 1));
        figures.forEach(figure -> columns.add(SweepTables.column(figure)));
        Table.Builder table = new Table.Builder("medians", columns);
        for (StepSummary step : summary.steps()) {
            for (OperationSummary of : step.operations()) {
                List<Object> row = start(step, of.name());
                row.add(step.trials());
                Spread rate = of.figures().get(TrialRow.OPS_PER_SECOND);
                row.add(rate == null || rate.trials() == 1 ? null : 100 * rate.coverage());
                figures.forEach(figure -> row.add(spread(of.figures().get(figure), figure)));
                table.row(row);
            }
        }
        return table.build();
    }

    private boolean isMeasured(String figure) {
        return summary.steps().stream()
                .flatMap(step -> step.operations().stream())
                .anyMatch(of -> of.figures().containsKey(figure));
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
        Table.Builder table = new Table.Builder(
                "within-runs",
                columns(
                        Column.count("n"),
                        Column.of("effective_n", "effective n of med", ""),
                        Column.of("p50", "med", ""),
                        Column.of("p95", ".95", ""),
                        Column.of("p99", ".99", "")));
        for (StepSummary step : summary.steps()) {
            for (TrialRow trial : sweep.rows()) {
                if (trial.step() == step.step().number()
                        && trial.number("effective_n").isPresent()) {
                    List<Object> row = start(step, trial.operation());
                    row.add(trial.text(TrialRow.TOTAL_OPS));
                    row.add(trial.text("effective_n"));
                    Stream.of("p50", "p95", "p99").forEach(of -> row.add(interval(trial, of)));
                    table.row(row);
                }
            }
        }
        return table.build();
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
        return String.format(Locale.ROOT, "%.3f [%.3f..%.3f]", value, low, high);
    }

    /** All tables begin with the columns that identify a row. */
    private List<Column> columns(Column... figures) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text(OPERATION));
        varied.forEach(name -> columns.add(new Column(name, name, "", Column.TEXT)));
        columns.add(new Column("threads", "# clients", "", 0));
        columns.addAll(Arrays.asList(figures));
        return columns;
    }

    private List<Object> start(StepSummary step, String operation) {
        Map<String, String> values = step.step().values();
        List<Object> row = new ArrayList<>();
        row.add(operation);
        varied.forEach(name -> row.add(values.getOrDefault(name, "")));
        row.add(step.threads());
        return row;
    }
}
