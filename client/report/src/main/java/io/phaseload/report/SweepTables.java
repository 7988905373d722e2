package io.phaseload.report;

import io.phaseload.report.Table.Column;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.Scalability;
import io.phaseload.sweep.Step;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepSummary;
import io.phaseload.sweep.SweepSummary.OperationSummary;
import io.phaseload.sweep.SweepSummary.Spread;
import io.phaseload.sweep.SweepSummary.StepSummary;
import io.phaseload.sweep.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A sweep as tables: {@code steps}, {@code trials} and {@code usl}. */
public final class SweepTables {

    private static final int CURVE_POINTS = 60;

    private static final Column OPERATION = Column.text("operation");
    private static final Column GROUP = Column.text("group");
    private static final Column THREADS = Column.text("threads");

    /** A figure of {@code trials.csv} as people call it. */
    private record Named(String title, String unit) {

        static Named of(String column) {
            return switch (column) {
                case "ops_per_second" -> new Named("throughput", "rps");
                case "failed_percent" -> new Named("failed", "%");
                case "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms" ->
                        new Named(column.replace("_ms", ""), "ms");
                default -> new Named(column, "");
            };
        }
    }

    private final Sweep sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final List<String> varied;

    private SweepTables(Sweep sweep, List<TrialRow> rows) {
        this.sweep = sweep;
        this.rows = rows;
        this.summary = sweep.summary(rows);
        this.varied = varied(sweep);
    }

    /**
     * Makes the tables.
     *
     * @param sweep what was run
     * @param rows of the trials that are over
     * @return the tables; one without rows has nothing to tell
     */
    public static List<Table> of(Sweep sweep, List<TrialRow> rows) {
        SweepTables tables = new SweepTables(sweep, rows);
        return List.of(tables.steps(), tables.trials(), tables.usl());
    }

    private static List<String> varied(Sweep sweep) {
        List<Map<String, String>> all = sweep.steps().stream().map(Step::values).toList();
        return all.stream()
                .flatMap(values -> values.keySet().stream())
                .distinct()
                .filter(name -> all.stream().map(values -> values.get(name)).distinct().count() > 1)
                .toList();
    }

    private Table steps() {
        Table.Builder table =
                new Table.Builder(
                        "steps",
                        Column.text("step"),
                        THREADS,
                        GROUP,
                        Column.text("across"),
                        Column.text("down"),
                        OPERATION,
                        Column.text("figure"),
                        Column.text("unit"),
                        Column.text("trials"),
                        Column.of("median", "median", ""),
                        Column.of("low", "low", ""),
                        Column.of("high", "high", ""),
                        Column.of("coverage_percent", "confidence", "%"),
                        Column.of("min", "min", ""),
                        Column.of("max", "max", ""));
        for (StepSummary step : summary.steps()) {
            for (OperationSummary operation : step.operations()) {
                operation
                        .figures()
                        .forEach(
                                (figure, spread) ->
                                        step(table, step, operation.name(), figure, spread));
            }
        }
        return table.build();
    }

    private void step(
            Table.Builder table, StepSummary of, String operation, String figure, Spread spread) {
        Named named = Named.of(figure);
        table.row(
                of.step().number(),
                of.threads(),
                group(of.step()),
                across(of.step()),
                down(of.step()),
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

    private Table trials() {
        List<String> figures =
                new ArrayList<>(
                        summary.steps().stream()
                                .flatMap(step -> step.operations().stream())
                                .flatMap(operation -> operation.figures().keySet().stream())
                                .distinct()
                                .toList());
        Table.Builder table =
                new Table.Builder(
                        "trials",
                        Column.text("step"),
                        Column.text("trial"),
                        THREADS,
                        GROUP,
                        Column.text("across"),
                        OPERATION,
                        Column.text("figure"),
                        Column.text("unit"),
                        Column.of("value", "value", ""));
        Map<Integer, Step> steps =
                sweep.steps().stream().collect(Collectors.toMap(Step::number, step -> step));
        for (TrialRow row : rows.stream().filter(TrialRow::isOk).toList()) {
            Step step = steps.get(integer(row, "step"));
            for (String figure : figures) {
                OptionalDouble value = row.number(figure);
                if (value.isPresent()) {
                    table.row(
                            step.number(),
                            integer(row, "trial"),
                            integer(row, "threads"),
                            group(step),
                            across(step),
                            row.text("operation"),
                            Named.of(figure).title(),
                            Named.of(figure).unit(),
                            value.getAsDouble());
                }
            }
        }
        return table.build();
    }

    private static int integer(TrialRow row, String column) {
        return (int) row.number(column).orElse(0);
    }

    /** The fitted law as a line, as far as it is believed, beside the points it was fitted to. */
    private Table usl() {
        Table.Builder table =
                new Table.Builder(
                        "usl",
                        GROUP,
                        Column.of("threads", "threads", ""),
                        Column.of("requests_per_second", "throughput", "rps"));
        for (Scalability scalability : summary.scalability()) {
            ScalabilityFit fit = scalability.fit();
            double most = fit == null ? 0 : 1.5 * fit.mostUsers();
            for (int i = 0; fit != null && i < CURVE_POINTS; i++) {
                double users = 1 + (most - 1) * i / (CURVE_POINTS - 1);
                fit.throughput(users)
                        .ifPresent(rate -> table.row(text(scalability.group()), users, rate));
            }
        }
        return table.build();
    }

    /** What steps have in common that differ in load alone. */
    private String group(Step step) {
        return text(step.group());
    }

    private String text(Map<String, String> values) {
        Map<String, String> some = new LinkedHashMap<>(values);
        some.keySet().retainAll(varied);
        return some.isEmpty() ? RunTables.ALL : join(some);
    }

    /** What is varied first. */
    private String across(Step step) {
        Map<String, String> first = new LinkedHashMap<>(step.values());
        first.keySet().retainAll(varied.isEmpty() ? List.of() : varied.subList(0, 1));
        return first.isEmpty() ? RunTables.ALL : join(first);
    }

    /** All else that is varied. */
    private String down(Step step) {
        Map<String, String> rest = new LinkedHashMap<>(step.values());
        rest.keySet().retainAll(varied.isEmpty() ? List.of() : varied.subList(1, varied.size()));
        return rest.isEmpty() ? RunTables.ALL : join(rest);
    }

    private static String join(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }
}
