package io.phaseload.report.tables;

import io.phaseload.measure.Interval;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Millis;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.PhaseResult.SegmentResult;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Evidence;
import io.phaseload.result.host.ServerUse;
import io.phaseload.result.host.Spread;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The figures of a whole run: the tables for people. */
public final class ResultTables {

    private static final Column PHASE = Column.text("phase");
    private static final Column OPERATION = Column.text("operation");
    private static final Column THREADS = Column.count("threads");
    private static final Column FAILED = Column.count("failed");
    private static final Column FAILED_PERCENT = new Column("failed_percent", "failed", "%", 2);
    private static final List<Column> TIMES = List.of(
            Column.of("mean_ms", "mean", "ms"),
            Column.of("p50_ms", "p50", "ms"),
            Column.of("p95_ms", "p95", "ms"),
            Column.of("p99_ms", "p99", "ms"),
            Column.of("max_ms", "max", "ms"));

    private static final int MOST_NAMES = 3;

    private ResultTables() {}

    /**
     * Each operation in each phase, and all operations of a phase together.
     *
     * @param result of a run
     * @return the table {@code operations}
     */
    public static Table operations(Result result) {
        Table.Builder table = new Table.Builder("operations", columns(PHASE, OPERATION));
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                table.row(row(
                        List.of(phase.name(), SentNames.of(result.plan(), operation.name())),
                        phase.threads(),
                        operation.figures()));
            }
            if (phase.operations().size() > 1) {
                table.row(row(List.of(phase.name(), Operations.ALL), phase.threads(), phase.figures()));
            }
        }
        return table.build().in(Wording.of(result.plan()));
    }

    /**
     * Each phase, the measured phases, and all.
     *
     * @param result of a run
     * @return the table {@code summary}
     */
    public static Table summary(Result result) {
        Figures measured = result.measured();
        Table.Builder table = new Table.Builder("summary", columns(PHASE));
        for (PhaseResult phase : result.phases()) {
            table.row(row(List.of(phase.name()), phase.threads(), phase.figures()));
        }
        table.row(row(List.of(new Strong("measured")), null, measured));
        if (measured.failed() > 0) {
            List<Object> successes = new ArrayList<>(List.of("its successes"));
            successes.addAll(Arrays.asList(null, measured.succeeded(), null, null));
            successes.add(measured.succeededPerSecond());
            successes.addAll(times(measured.responseOfSuccesses()));
            table.row(successes);
        }
        if (result.measuredPhases().size() < result.phases().size()) {
            table.row(row(List.of("all"), null, result.totals()));
        }
        return table.build().in(Wording.of(result.plan()));
    }

    /**
     * Each part of a phase between changes of its load.
     *
     * @param result of a run
     * @return the table {@code segments}; empty if no load was changed
     */
    public static Table segments(Result result) {
        Table.Builder table =
                new Table.Builder("segments", columns(PHASE, Column.of("from_s", "from", "s"), Column.text("load")));
        for (PhaseResult phase : result.phases()) {
            for (SegmentResult part : phase.segments()) {
                String load = part.load().matches("\\d+") ? part.load() + " users" : part.load();
                table.row(row(List.of(phase.name(), part.fromMs() / 1_000, load), null, part.figures()));
            }
        }
        return table.build().in(Wording.of(result.plan()));
    }

    /**
     * Each journey and each group of steps in each phase, with its time from when its first request was due to the end
     * of its last one.
     *
     * @param result of a run
     * @return the table {@code journeys}; empty without journeys
     */
    public static Table journeys(Result result) {
        Table.Builder table = new Table.Builder(
                "journeys",
                columns(
                        List.of(PHASE, Column.text("journey")),
                        Column.count("journeys"),
                        new Column("journeys_per_second", "per second", "", 1)));
        for (PhaseResult phase : result.phases()) {
            for (OperationResult journey : phase.journeys()) {
                table.row(row(List.of(phase.name(), journey.name()), phase.threads(), journey.figures()));
            }
        }
        return table.build();
    }

    private static List<Column> columns(Column... first) {
        return columns(List.of(first), Column.count("requests"), new Column("requests_per_second", "rps", "", 1));
    }

    private static List<Column> columns(List<Column> first, Column count, Column rate) {
        List<Column> columns = new ArrayList<>(first);
        columns.addAll(List.of(THREADS, count, FAILED, FAILED_PERCENT, rate));
        columns.addAll(TIMES);
        return columns;
    }

    private static List<Object> row(List<Object> names, Integer threads, Figures figures) {
        List<Object> row = new ArrayList<>(names);
        row.add(threads);
        row.add(figures.requests());
        row.add(figures.failed());
        row.add(figures.failedPercent());
        row.add(figures.requestsPerSecond());
        row.addAll(times(figures.response()));
        return row;
    }

    private static List<Object> times(Latency of) {
        return List.of(
                Millis.cell(of.mean()),
                Millis.cell(of.p50()),
                Millis.cell(of.p95()),
                Millis.cell(of.p99()),
                Millis.cell(of.max()));
    }

    /**
     * How often each operation failed in each way in each phase.
     *
     * @param result of a run
     * @return the table {@code causes}: by cause, and within a cause in the plan's order; percentages are of all
     *     requests of the run
     */
    public static Table causes(Result result) {
        return causes(result, List.of());
    }

    /**
     * How often each operation failed in each way in each phase, and when.
     *
     * @param result of a run
     * @param intervals that the result covers; empty for no times
     * @return the table {@code causes} with the seconds of the run in which a failure came first and last
     */
    public static Table causes(Result result, List<Interval> intervals) {
        Table.Builder table = new Table.Builder(
                "causes",
                Column.text("cause"),
                PHASE,
                OPERATION,
                Column.count("count"),
                new Column("percent", "of all", "%", 2),
                Column.text("first_message"),
                Column.text("first"),
                Column.text("last"));
        List<String> causes = result.totals().failures().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        for (String cause : causes) {
            for (PhaseResult phase : result.phases()) {
                for (int i = 0; i < phase.operations().size(); i++) {
                    OperationResult operation = phase.operations().get(i);
                    Figures figures = operation.figures();
                    Long count = figures.failures().get(cause);
                    if (count != null) {
                        List<Interval> when = when(cause, phase, i, intervals);
                        table.row(
                                cause,
                                phase.name(),
                                SentNames.of(result.plan(), operation.name()),
                                count,
                                100.0 * count / result.totals().requests(),
                                figures.failureDetails().getOrDefault(cause, ""),
                                when.isEmpty() ? null : clock(when.get(0)),
                                when.isEmpty() ? null : clock(when.get(when.size() - 1)));
                    }
                }
            }
        }
        Table all = table.build();
        return intervals.isEmpty() ? all.without("first").without("last") : all;
    }

    /**
     * How often requests failed in each way.
     *
     * @param result of a run
     * @param intervals that the result covers
     * @return the table {@code failures-by-cause}: the most frequent first
     */
    public static Table failures(Result result, List<Interval> intervals) {
        Table.Builder table = new Table.Builder(
                "failures-by-cause",
                Column.text("cause"),
                Column.count("count"),
                new Column("percent", "of all requests", "%", 2),
                Column.text("phases"),
                Column.text("operations"),
                Column.text("first"),
                Column.text("last"),
                Column.text("first_message"));
        result.totals().failures().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(cause -> {
                    String name = cause.getKey();
                    List<String> when = intervals.stream()
                            .filter(of -> of.operations().stream()
                                    .anyMatch(tally -> tally.causes().containsKey(name)))
                            .map(ResultTables::clock)
                            .toList();
                    table.row(
                            name,
                            cause.getValue(),
                            100.0 * cause.getValue() / result.totals().requests(),
                            names(
                                    result.phases().stream()
                                            .filter(phase ->
                                                    phase.figures().failures().containsKey(name))
                                            .map(PhaseResult::name)
                                            .toList(),
                                    "phases"),
                            names(
                                    result.phases().stream()
                                            .flatMap(phase -> phase.operations().stream())
                                            .filter(of ->
                                                    of.figures().failures().containsKey(name))
                                            .map(of -> SentNames.of(result.plan(), of.name()))
                                            .distinct()
                                            .toList(),
                                    "operations"),
                            when.isEmpty() ? null : when.get(0),
                            when.isEmpty() ? null : when.get(when.size() - 1),
                            result.totals().failureDetails().getOrDefault(name, ""));
                });
        return table.build().in(Wording.of(result.plan()));
    }

    private static String names(List<String> names, String many) {
        return names.size() > MOST_NAMES ? names.size() + " " + many : String.join(", ", names);
    }

    private static List<Interval> when(String cause, PhaseResult phase, int operation, List<Interval> intervals) {
        return intervals.stream()
                .filter(of -> of.phase().equals(phase.name()))
                .filter(of -> of.operations().get(operation).causes().containsKey(cause))
                .toList();
    }

    /** Minutes and seconds since the run's start. */
    private static String clock(Interval of) {
        long tenths = Math.round(of.start().toMillis() / 100.0);
        return TextFormat.format("%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10);
    }

    /**
     * The results of the thresholds.
     *
     * @param result of a run
     * @return the table {@code thresholds}
     */
    public static Table thresholds(Result result) {
        Columns<ThresholdResult> columns = new Columns<ThresholdResult>()
                .text("outcome", of -> Strong.when(!of.passed(), of.outcome().name()))
                .text("threshold", ThresholdResult::expression)
                .text("observed", ThresholdResult::observedText);
        if (result.thresholds().stream().anyMatch(of -> of.evidence().isPresent())) {
            columns.text("interval", ThresholdResult::intervalText)
                    .count("n", of -> of.evidence().map(Evidence::samples))
                    .count("worth", of -> of.evidence().map(Evidence::effectiveSamples));
        }
        return columns.table("thresholds", result.thresholds().stream());
    }

    /** The figures of servers that a table has room for. */
    private static final List<String> MAIN_SERVER_FIGURES =
            List.of("cpuPercent", "machineCpuPercent", "inFlight", "busyThreads", "heapMiB");

    /**
     * Mean and maximum of what servers reported about themselves in each phase: of all that was chosen, or of the main
     * figures.
     *
     * @param result of a run
     * @param metrics that its servers were asked for
     * @return the table {@code server-use}
     */
    public static Table server(Result result, ServerMetrics metrics) {
        boolean named = !metrics.pages().containsKey("");
        List<Column> columns = new ArrayList<>(List.of(PHASE, Column.count("samples")));
        if (named) {
            columns.add(Column.text("server"));
        }
        List<String> names = shown(result, metrics);
        for (String name : names) {
            columns.add(new Column(name, name, "", 1));
            columns.add(new Column(name + "_max", "max", "", 1));
        }
        Table.Builder table = new Table.Builder("server-use", columns);
        for (PhaseResult phase : result.phases()) {
            ServerUse use = phase.server().orElseThrow();
            for (String server : metrics.pages().keySet()) {
                List<Object> row = new ArrayList<>(List.of(phase.name(), use.samples()));
                if (named) {
                    row.add(server);
                }
                for (String name : names) {
                    Spread spread = use.figures().get(ServerMetrics.name(server, name));
                    row.add(spread == null ? Missing.NOT_MEASURED : spread.mean());
                    row.add(spread == null ? Missing.NOT_MEASURED : spread.max());
                }
                table.row(row);
            }
        }
        return table.build();
    }

    private static List<String> shown(Result result, ServerMetrics metrics) {
        if (!metrics.choices().isEmpty()) {
            return metrics.figures();
        }
        return MAIN_SERVER_FIGURES.stream()
                .filter(name -> metrics.pages().keySet().stream()
                        .map(server -> ServerMetrics.name(server, name))
                        .anyMatch(full -> isTold(result, full)))
                .toList();
    }

    private static boolean isTold(Result result, String name) {
        return result.phases().stream()
                .flatMap(phase -> phase.server().stream())
                .anyMatch(use -> use.figures().containsKey(name));
    }
}
