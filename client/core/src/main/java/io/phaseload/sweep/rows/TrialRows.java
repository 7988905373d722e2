package io.phaseload.sweep.rows;

import io.phaseload.input.Secrets;
import io.phaseload.measure.UsersTime;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.host.ServerUse;
import io.phaseload.result.host.Spread;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.Estimate;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the rows of trials, with the columns of {@code trials.csv}.
 *
 * @param labels the names of the labels
 * @param parameters the names of what varies besides load
 * @param metrics the names of the metrics
 */
public record TrialRows(List<String> labels, List<String> parameters, List<String> metrics) {

    private static final List<String> FIRST =
            List.of(TrialRow.STEP, TrialRow.TRIAL, TrialRow.OPERATION, TrialRow.STATUS, TrialRow.REASON);

    /** The columns of what was measured, each with its cell. */
    private static final Map<String, Function<Figures, String>> MEASURED = new LinkedHashMap<>();

    static {
        MEASURED.put(TrialRow.TOTAL_OPS, of -> Long.toString(of.requests()));
        MEASURED.put(TrialRow.OPS_PER_SECOND, of -> number(of.requestsPerSecond()));
        MEASURED.put(TrialRow.FAILED, of -> Long.toString(of.failed()));
        MEASURED.put(TrialRow.FAILED_PERCENT, of -> number(of.failedPercent()));
        MEASURED.put(TrialRow.WALL_S, of -> number(of.wall().toNanos() / 1e9));
        MEASURED.put(TrialRow.MEAN_MS, of -> millis(of.response().mean()));
        MEASURED.put("std_ms", of -> millis(of.response().standardDeviation()));
        for (Statistic statistic : Statistic.values()) {
            MEASURED.putIfAbsent(
                    statistic.toString().replace(".", "") + "_ms",
                    of -> millis(of.response().value(statistic)));
        }
        MEASURED.put("service_p99_ms", of -> millis(of.service().p99()));
        MEASURED.put("slip_p99_ms", of -> millis(of.slip().p99()));
        MEASURED.put("connect_mean_ms", of -> millis(of.connectionSetUp().mean()));
    }

    private static final List<String> FIGURES = Stream.of(
                    List.of(TrialRow.THREADS, Step.RATE, Step.DURATION),
                    MEASURED.keySet(),
                    List.of("effective_n"),
                    List.of("p50_low_ms", "p50_high_ms", "p95_low_ms", "p95_high_ms", "p99_low_ms", "p99_high_ms"),
                    List.of(TrialRow.LITTLES_LAW, TrialRow.SERVER_CPU_PERCENT),
                    List.of(TrialRow.VERDICT, TrialRow.VERDICT_REASONS, TrialRow.THRESHOLDS))
            .flatMap(Collection::stream)
            .toList();

    private static final List<String> STREAMS = TrialRow.STREAM_TIMES.stream()
            .flatMap(time -> TrialRow.STREAM_STATISTICS.stream().map(statistic -> TrialRow.column(time, statistic)))
            .toList();

    private static final List<String> LAST = List.of("folder", "measured_on");

    /**
     * Makes the rows of a sweep.
     *
     * @param plan the plan of any of its trials
     * @param step any
     * @return the maker of its rows
     * @throws IllegalArgumentException if a label or a metric has the name of another column
     */
    public static TrialRows of(Plan plan, Step step) {
        List<String> metrics = metricsOf(plan);
        TrialRows rows = new TrialRows(
                List.copyOf(plan.labels().keySet()), List.copyOf(step.group().keySet()), metrics);
        Set<String> columns = new HashSet<>();
        String taken =
                rows.columns().stream().filter(column -> !columns.add(column)).collect(Collectors.joining(", "));
        if (!taken.isEmpty()) {
            boolean metric = metrics.stream().anyMatch(taken::startsWith);
            throw new ValueException(
                    "%s %s".formatted(metric ? "metric" : "label", taken),
                    "another name: %s"
                            .formatted(
                                    rows.parameters().contains(taken)
                                            ? "a parameter has that name"
                                            : "trials.csv already has that column"));
        }
        return rows;
    }

    /**
     * Checks that two trials of a sweep have the same columns and the same number of rows.
     *
     * @param plan of one trial
     * @param other of another
     * @throws IllegalArgumentException if they have different labels, operations or metrics, by name
     */
    public static void checkSame(Plan plan, Plan other) {
        checkSame("labels", plan.labels().keySet(), other.labels().keySet());
        checkSame(
                "operations",
                Operation.namesInResult(plan.scenario().operations()),
                Operation.namesInResult(other.scenario().operations()));
        checkSame("metrics", metricsOf(plan), metricsOf(other));
    }

    private static void checkSame(String what, Collection<String> one, Collection<String> other) {
        if (!one.equals(other)) {
            throw new ValueException(what, "the same in all steps, not %s and %s".formatted(one, other));
        }
    }

    /**
     * The names of all columns.
     *
     * @return in order, each once
     */
    public List<String> columns() {
        List<String> columns = new ArrayList<>(FIRST);
        columns.addAll(labels);
        columns.addAll(parameters);
        columns.addAll(FIGURES);
        columns.addAll(STREAMS);
        metrics.stream()
                .flatMap(metric -> TrialTable.columnsOf(metric).stream())
                .forEach(columns::add);
        columns.addAll(LAST);
        return columns;
    }

    /**
     * Whether a label, a parameter or a metric may have a name.
     *
     * @param name the name
     * @return {@code false} if it is the name of a fixed column
     */
    public static boolean isFree(String name) {
        return Stream.of(FIRST, FIGURES, STREAMS, LAST).noneMatch(columns -> columns.contains(name));
    }

    /**
     * The rows of a trial that was run.
     *
     * @param trial the trial
     * @param result the result of its run
     * @param window the measurement of the run
     * @param reason why the trial failed, if so
     * @return one per operation
     */
    public List<TrialRow> of(Trial trial, Result result, Window window, Optional<String> reason) {
        List<PhaseResult.OperationResult> operations = result.phases().get(0).operations();
        String littlesLaw = littlesLaw(result, window.phases());
        String serverCpu = serverCpu(result, window.phases());
        List<TrialRow> rows = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Map<String, String> row =
                    begin(trial, result.plan(), operations.get(i).name(), reason);
            put(row, window.figures(i));
            putIntervals(row, window, i);
            row.put(TrialRow.LITTLES_LAW, littlesLaw);
            row.put(TrialRow.SERVER_CPU_PERCENT, serverCpu);
            row.put(TrialRow.VERDICT, result.verdict().status().toString());
            row.put(TrialRow.VERDICT_REASONS, reasons(result.verdict()));
            row.put(TrialRow.THRESHOLDS, thresholds(result));
            row.put("folder", trial.folder());
            row.put("measured_on", result.startedAt().toString());
            rows.add(whole(row));
        }
        return rows;
    }

    private static String reasons(Verdict verdict) {
        return verdict.findings().stream()
                .filter(of -> of.severity() != Verdict.Status.VALID)
                .map(Finding::id)
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String thresholds(Result result) {
        List<ThresholdResult> all = result.thresholds();
        if (all.isEmpty()) {
            return "";
        }
        if (all.stream().allMatch(ThresholdResult::passed)) {
            return "passed";
        }
        return all.stream().anyMatch(of -> of.outcome() == ThresholdResult.Outcome.FAIL) ? "failed" : "undecided";
    }

    /**
     * The rows of a trial that couldn't be run.
     *
     * @param trial the trial
     * @param reason why it wasn't
     * @return one per operation
     */
    public List<TrialRow> ofNotRun(Trial trial, Plan plan, String reason, Instant at) {
        List<TrialRow> rows = new ArrayList<>();
        for (Operation operation : plan.scenario().operations()) {
            String name = Secrets.redactQuery(operation.name());
            Map<String, String> row = begin(trial, plan, name, Optional.of(reason));
            row.put("measured_on", at.toString());
            rows.add(whole(row));
        }
        return rows;
    }

    private Map<String, String> begin(Trial trial, Plan plan, String operation, Optional<String> reason) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put(TrialRow.STEP, Integer.toString(trial.step().number()));
        row.put(TrialRow.TRIAL, Integer.toString(trial.number()));
        row.put(TrialRow.OPERATION, operation);
        row.put(TrialRow.STATUS, reason.isPresent() ? "failed" : "ok");
        row.put(TrialRow.REASON, reason.orElse(""));
        labels.forEach(label -> row.put(label, plan.labels().getOrDefault(label, "")));
        row.putAll(trial.step().values());
        row.put(TrialRow.THREADS, Integer.toString(plan.threads()));
        return row;
    }

    private TrialRow whole(Map<String, String> row) {
        Map<String, String> cells = new LinkedHashMap<>();
        columns().forEach(column -> cells.put(column, row.getOrDefault(column, "")));
        return new TrialRow(cells);
    }

    private void put(Map<String, String> row, Figures figures) {
        MEASURED.forEach((column, cell) -> row.put(column, cell.apply(figures)));
        TrialRow.STREAM_TIMES.forEach(of -> TrialRow.STREAM_STATISTICS.forEach(statistic ->
                row.put(TrialRow.column(of, statistic), millis(figures.time(of).value(statistic)))));
        for (Figures.Metered metric : figures.metrics()) {
            row.put(metric.name(), number(metric.mean()));
            row.put(metric.name() + "_min", number(metric.min()));
            row.put(metric.name() + "_max", number(metric.max()));
            row.put(metric.name() + "_count", Long.toString(metric.count()));
        }
    }

    private static void putIntervals(Map<String, String> row, Window window, int operation) {
        window.effectiveSamples(operation).ifPresent(n -> row.put("effective_n", n.toString()));
        for (int percent : new int[] {50, 95, 99}) {
            Optional<ConfidenceInterval> interval =
                    window.percentile(operation, percent).map(Estimate::interval);
            if (interval.isPresent()) {
                row.put("p" + percent + "_low_ms", number(interval.get().low() / 1e6));
                row.put("p" + percent + "_high_ms", number(interval.get().high() / 1e6));
            }
        }
    }

    /** Of the measured phases of a closed model: how much of their users' time is accounted for. */
    private static String littlesLaw(Result result, List<String> measured) {
        return result.phases().stream()
                .filter(phase -> measured.contains(phase.name()))
                .flatMap(phase -> phase.client().usersTime().stream())
                .reduce(UsersTime::plus)
                .map(time -> number(time.accounted()))
                .orElse("");
    }

    /** Of all servers and measured phases that have it, each phase as long as it was read. */
    private static String serverCpu(Result result, List<String> measured) {
        double sum = 0;
        double weight = 0;
        for (PhaseResult phase : result.phases()) {
            Optional<ServerUse> told = phase.server().filter(of -> measured.contains(phase.name()));
            for (String server : servers(result)) {
                Optional<Spread> cpu = told.map(of -> of.figures().get(ServerMetrics.name(server, "cpuPercent")));
                if (cpu.isPresent()) {
                    sum += cpu.get().mean() * told.get().samples();
                    weight += told.get().samples();
                }
            }
        }
        return weight == 0 ? "" : number(sum / weight);
    }

    private static Set<String> servers(Result result) {
        return result.plan().serverMetrics().map(of -> of.pages().keySet()).orElse(Set.of());
    }

    private static List<String> metricsOf(Plan plan) {
        return plan.scenario().operations().stream()
                .map(Operation::metrics)
                .flatMap(List::stream)
                .map(Metric::name)
                .distinct()
                .toList();
    }

    private static String millis(LatencyValue value) {
        return value.value().map(time -> number(time.toNanos() / 1e6)).orElse("");
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6f", value) : "";
    }
}
