package io.phaseload.report.tables;

import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sweep as tables: {@code steps}, {@code trials} and {@code usl}. */
public final class SweepTables {

    private static final int CURVE_POINTS = 60;

    private static final Column OPERATION = Column.text("operation");
    private static final Column GROUP = Column.text("group");
    private static final Column THREADS = Column.count("threads");

    /**
     * A figure of {@code trials.csv}, with its name for people.
     *
     * @param figure its column there
     * @return a column of numbers
     */
    public static Column column(String figure) {
        return switch (figure) {
            case "ops_per_second" -> Column.of(figure, "throughput", "rps");
            case "failed_percent" -> Column.of(figure, "failed", "%");
            case "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms" ->
                    Column.of(figure, figure.replace("_ms", ""), "ms");
            default -> Column.of(figure, figure, "");
        };
    }

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final SweepAxes varied;

    private SweepTables(SweepResult sweep) {
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
        this.varied = SweepAxes.of(sweep);
    }

    /**
     * Creates the tables.
     *
     * @param sweep the sweep
     * @return the tables; those without data have no rows
     */
    public static List<Table> of(SweepResult sweep) {
        SweepTables tables = new SweepTables(sweep);
        return List.of(tables.steps(), tables.trials(), tables.usl());
    }

    private Table steps() {
        Table.Builder table =
                new Table.Builder(
                        "steps",
                        Column.count("step"),
                        THREADS,
                        Column.of("load", "load", ""),
                        GROUP,
                        Column.text("across"),
                        Column.text("down"),
                        OPERATION,
                        Column.text("figure"),
                        Column.text("unit"),
                        Column.count("trials"),
                        Column.of("median", "median", ""),
                        Column.of("low", "low", ""),
                        Column.of("high", "high", ""),
                        Column.of("coverage_percent", "confidence", "%"),
                        Column.of("min", "min", ""),
                        Column.of("max", "max", ""));
        // Charts order their panels and axes by the rows.
        List<StepSummary> ordered =
                summary.steps().stream()
                        .sorted(Comparator.comparing(StepSummary::step, SweepAxes.order(sweep)))
                        .toList();
        for (StepSummary step : ordered) {
            throughput(rows, step)
                    .ifPresent(all -> step(table, step, RunTables.ALL, "ops_per_second", all));
        }
        for (String operation : operations()) {
            for (String figure : figures()) {
                for (StepSummary step : ordered) {
                    for (OperationSummary of : step.operations()) {
                        Spread spread = of.figures().get(figure);
                        if (of.name().equals(operation) && spread != null) {
                            step(table, step, operation, figure, spread);
                        }
                    }
                }
            }
        }
        return table.build();
    }

    private List<String> operations() {
        return rows.stream()
                .filter(TrialRow::isOk)
                .map(r -> r.text("operation"))
                .distinct()
                .toList();
    }

    /** Metrics from bodies come first: such a sweep is about them. */
    private List<String> figures() {
        return Stream.concat(sweep.metrics().stream(), SweepSummary.FIGURES.stream()).toList();
    }

    private void step(
            Table.Builder table, StepSummary of, String operation, String figure, Spread spread) {
        Column named = column(figure);
        table.row(
                of.step().number(),
                of.threads(),
                varied.load(of),
                varied.group(of.step()),
                varied.across(of.step()),
                varied.down(of.step()),
                operation,
                named.title(),
                named.unit(),
                spread.trials(),
                spread.median(),
                spread.low(),
                spread.high(),
                100 * spread.coverage(),
                spread.min(),
                spread.max());
    }

    /**
     * The throughput of a step over all operations, to which the law is fitted.
     *
     * @param rows of the trials
     * @param of the step
     * @return summarized over its trials; empty if none was measured
     */
    public static Optional<Spread> throughput(List<TrialRow> rows, StepSummary of) {
        Map<String, Double> byTrial = new LinkedHashMap<>();
        for (TrialRow row : rows) {
            OptionalDouble rate = row.number("ops_per_second");
            if (row.isOk() && integer(row, "step") == of.step().number() && rate.isPresent()) {
                byTrial.merge(row.text("trial"), rate.getAsDouble(), Double::sum);
            }
        }
        return byTrial.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Spread.of(byTrial.values().stream().mapToDouble(rate -> rate).toArray()));
    }

    private Table trials() {
        Table.Builder table =
                new Table.Builder(
                        "trials",
                        Column.count("step"),
                        Column.count("trial"),
                        THREADS,
                        GROUP,
                        Column.text("across"),
                        Column.text("down"),
                        OPERATION,
                        Column.text("figure"),
                        Column.text("unit"),
                        Column.of("value", "value", ""));
        Map<Integer, Step> steps =
                sweep.steps().stream().collect(Collectors.toMap(Step::number, step -> step));
        List<TrialRow> ordered =
                rows.stream()
                        .filter(TrialRow::isOk)
                        .sorted(
                                Comparator.comparing(
                                                (TrialRow row) -> steps.get(integer(row, "step")),
                                                SweepAxes.order(sweep))
                                        .thenComparing(row -> integer(row, "trial")))
                        .toList();
        for (String operation : operations()) {
            for (String figure : figures()) {
                for (TrialRow row : ordered) {
                    OptionalDouble value = row.number(figure);
                    if (row.text("operation").equals(operation) && value.isPresent()) {
                        Step step = steps.get(integer(row, "step"));
                        table.row(
                                step.number(),
                                integer(row, "trial"),
                                integer(row, "threads"),
                                varied.group(step),
                                varied.across(step),
                                varied.down(step),
                                operation,
                                column(figure).title(),
                                column(figure).unit(),
                                value.getAsDouble());
                    }
                }
            }
        }
        return table.build();
    }

    private static int integer(TrialRow row, String column) {
        return (int) row.number(column).orElse(0);
    }

    /**
     * The fitted law as a line, as far as it may be extrapolated, along with the points it was
     * fitted to.
     */
    private Table usl() {
        Table.Builder table =
                new Table.Builder(
                        "usl",
                        GROUP,
                        Column.of("threads", "threads", ""),
                        Column.of("requests_per_second", "throughput", "rps"));
        for (Scalability scalability : summary.scalability()) {
            scalability.fit().ifPresent(fit -> curve(scalability, fit, table));
        }
        return table.build();
    }

    private void curve(Scalability of, ScalabilityFit fit, Table.Builder table) {
        double most = (fit.isPoor() ? 1 : 1.5) * fit.mostUsers();
        for (int i = 0; i < CURVE_POINTS; i++) {
            double users = 1 + (most - 1) * i / (CURVE_POINTS - 1);
            fit.throughput(users)
                    .ifPresent(rate -> table.row(varied.group(of.group()), users, rate));
        }
    }
}
