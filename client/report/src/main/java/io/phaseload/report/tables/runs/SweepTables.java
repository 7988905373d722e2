package io.phaseload.report.tables.runs;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Operations;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sweep as tables: {@code steps}, {@code trials} and {@code usl}. */
public final class SweepTables {

    private static final int CURVE_POINTS = 60;

    /** How far a law that fits is drawn, times the most that was measured. */
    private static final double BEYOND = 1.5;

    private static final Map<String, String> MARKS = Map.of("SUSPECT", "?", "INVALID", "✗");

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
            case TrialRow.SERVER_CPU_PERCENT -> Column.of(figure, "server CPU", "%");
            case "ops_per_second" -> Column.of(figure, "throughput", "rps");
            case "failed_percent" -> Column.of(figure, "failed", "%");
            case "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms" -> Column.of(
                    figure, figure.replace("_ms", ""), "ms");
            default -> Column.of(figure, figure, "");
        };
    }

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final SweepAxes varied;
    private final Series series;

    private SweepTables(SweepResult sweep) {
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
        this.varied = SweepAxes.of(sweep);
        this.series = Series.of(summary.steps().stream()
                .collect(Collectors.groupingBy(
                        step -> varied.down(step.step()),
                        LinkedHashMap::new,
                        Collectors.flatMapping(
                                step -> step.operations().stream().map(OperationSummary::name), Collectors.toSet())))
                .values());
    }

    /**
     * The names of the lines of charts: only their differences.
     *
     * @param operations true if several operations share a group
     */
    private record Series(boolean operations, boolean groups) {

        /** For the operations of each group. */
        static Series of(Collection<Set<String>> groups) {
            return new Series(groups.stream().anyMatch(names -> names.size() > 1), groups.size() > 1);
        }

        String of(String operation, String group) {
            if (!groups) {
                return operation;
            }
            return operations && !operation.equals(Operations.ALL) ? operation + " · " + group : group;
        }
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
        List<Placed<Summed>> all = new ArrayList<>();
        // Charts order their panels and axes by the rows.
        List<StepSummary> ordered = summary.steps().stream()
                .sorted(Comparator.comparing(StepSummary::step, SweepAxes.order(sweep)))
                .toList();
        for (StepSummary step : ordered) {
            Optional<Spread> rate = throughput(rows, step);
            // That a step failed is worth a mark beside others, not a chart.
            if (rate.isPresent() || step.trials() == 0 && rows.stream().anyMatch(TrialRow::isOk)) {
                all.add(summed(step, Operations.ALL, TrialRow.OPS_PER_SECOND, rate));
            }
        }
        for (String operation : operations(sweep)) {
            for (String figure : figures(sweep).toList()) {
                for (StepSummary step : ordered) {
                    step.operations().stream()
                            .filter(of -> of.name().equals(operation))
                            .map(of -> Optional.ofNullable(of.figures().get(figure)))
                            .filter(Optional::isPresent)
                            .forEach(spread -> all.add(summed(step, operation, figure, spread)));
                }
            }
        }
        Columns<Placed<Summed>> columns = new Columns<Placed<Summed>>()
                .count("step", of -> of.step().number())
                .add(THREADS, of -> of.of().step().threads())
                .number("load", "load", "", of -> varied.load(of.of().step()))
                .text("swept", of -> varied.title());
        return placed(columns)
                .count("trials", of -> of.of().figure(Spread::trials).orElse(0))
                .number("median", "median", "", of -> of.of().figure(Spread::median))
                .number("low", "low", "", of -> of.of().figure(Spread::low))
                .number("high", "high", "", of -> of.of().figure(Spread::high))
                .number("coverage_percent", "confidence", "%", of -> of.of().figure(spread -> 100 * spread.coverage()))
                .number("min", "min", "", of -> of.of().figure(Spread::min))
                .number("max", "max", "", of -> of.of().figure(Spread::max))
                .text("status", of -> status(rows, of.of().step()))
                .text("mark", of -> mark(of.of().step()))
                .table("steps", all.stream());
    }

    private static Placed<Summed> summed(StepSummary step, String operation, String figure, Optional<Spread> spread) {
        return new Placed<>(step.step(), operation, figure, new Summed(step, spread));
    }

    /** A figure of a step and an operation. */
    private record Placed<T>(Step step, String operation, String figure, T of) {}

    /** The figure of all trials of a step. */
    private record Summed(StepSummary step, Optional<Spread> spread) {

        <T> Optional<T> figure(Function<Spread, T> of) {
            return spread.map(of);
        }
    }

    private <T> Columns<Placed<T>> placed(Columns<Placed<T>> columns) {
        return columns.add(GROUP, of -> varied.group(of.step()))
                .text("across", of -> varied.across(of.step()))
                .text("across_of", of -> varied.acrossTitle())
                .text("down", of -> varied.down(of.step()))
                .text("series", of -> series.of(of.operation(), varied.down(of.step())))
                .text("operation", Placed::operation)
                .text("figure", of -> column(of.figure()).title())
                .text("unit", of -> varied.column(of.figure()).unit());
    }

    /**
     * The operations of a sweep that were measured.
     *
     * @param sweep a sweep
     * @return their names, in order
     */
    public static List<String> operations(SweepResult sweep) {
        return sweep.rows().stream()
                .filter(TrialRow::isOk)
                .map(TrialRow::operation)
                .distinct()
                .toList();
    }

    /**
     * The operations of all steps.
     *
     * @param summary of a sweep
     * @return those of the first step first
     */
    public static Stream<OperationSummary> operations(SweepSummary summary) {
        return summary.steps().stream().flatMap(step -> step.operations().stream());
    }

    /** Metrics from bodies come first: such a sweep is about them. */
    static Stream<String> figures(SweepResult sweep) {
        return Stream.concat(sweep.metrics().stream(), SweepSummary.FIGURES.stream());
    }

    /** Sets a step apart whose measurement is worse than that of another step. */
    private String mark(StepSummary of) {
        String status = status(rows, of);
        boolean all =
                summary.steps().stream().allMatch(step -> status(rows, step).equals(status));
        return all ? "" : MARKS.getOrDefault(status, "");
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
                : Optional.of(Spread.of(
                        byTrial.values().stream().mapToDouble(rate -> rate).toArray()));
    }

    /**
     * Whether a step's figures can be trusted.
     *
     * @param rows of the trials
     * @param of the step
     * @return the worst verdict on its trials that were measured; {@code FAILED} if none was
     */
    public static String status(List<TrialRow> rows, StepSummary of) {
        List<String> verdicts = rows.stream()
                .filter(row -> row.isOk() && row.step() == of.step().number())
                .map(row -> row.text(TrialRow.VERDICT))
                .toList();
        if (of.trials() == 0) {
            return "FAILED";
        }
        return Stream.of("INVALID", "SUSPECT")
                .filter(verdicts::contains)
                .findFirst()
                .orElse("VALID");
    }

    private Table trials() {
        Map<Integer, Step> steps = sweep.steps().stream().collect(Collectors.toMap(Step::number, step -> step));
        List<TrialRow> ordered = rows.stream()
                .filter(TrialRow::isOk)
                .sorted(Comparator.comparing((TrialRow row) -> steps.get(row.step()), SweepAxes.order(sweep))
                        .thenComparing(TrialRow::trial))
                .toList();
        Columns<Placed<TrialRow>> columns = new Columns<Placed<TrialRow>>()
                .count("step", of -> of.step().number())
                .count("trial", of -> of.of().trial())
                .add(THREADS, of -> integer(of.of(), "threads"));
        return placed(columns)
                .number("value", "value", "", of -> of.of().number(of.figure()).getAsDouble())
                .table("trials", operations(sweep).stream().flatMap(operation -> figures(sweep)
                        .flatMap(figure -> ordered.stream()
                                .filter(row -> row.operation().equals(operation)
                                        && row.number(figure).isPresent())
                                .map(row -> new Placed<>(steps.get(row.step()), operation, figure, row)))));
    }

    private static int integer(TrialRow row, String column) {
        return (int) row.number(column).orElse(0);
    }

    /** The fitted law as a line, as far as it may be extrapolated, along with the points it was fitted to. */
    private Table usl() {
        Table.Builder table = new Table.Builder(
                "usl",
                GROUP,
                Column.of("threads", "threads", ""),
                Column.of("requests_per_second", "throughput", "rps"),
                Column.of("r_squared", "R²", ""));
        for (Scalability scalability : summary.scalability()) {
            scalability
                    .fit()
                    // A poor fit says nothing; the remarks tell of it.
                    .filter(fit -> !fit.isPoor())
                    .ifPresent(fit -> curve(scalability, fit, table));
        }
        return table.build();
    }

    private void curve(Scalability of, ScalabilityFit fit, Table.Builder table) {
        double most = BEYOND * fit.mostUsers();
        for (int i = 0; i < CURVE_POINTS; i++) {
            // As smooth on a logarithmic axis as on a linear one.
            double users = Math.pow(most, i / (CURVE_POINTS - 1.0));
            fit.throughput(users).ifPresent(rate -> table.row(varied.group(of.group()), users, rate, fit.rSquared()));
        }
    }
}
