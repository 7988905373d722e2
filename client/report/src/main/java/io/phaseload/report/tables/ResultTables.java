package io.phaseload.report.tables;

import io.phaseload.measure.Interval;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The figures of a whole run: the tables for people. */
public final class ResultTables {

    private static final Column REQUESTS = Column.count("requests");
    private static final Column RATE = new Column("requests_per_second", "rps", "", 1);

    private static final int MOST_NAMES = 3;

    private ResultTables() {}

    /**
     * Each operation in each phase, and all operations of a phase together.
     *
     * @param result of a run
     * @return the table {@code operations}
     */
    public static Table operations(Result result) {
        List<Line> lines = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            phase.operations().forEach(of -> {
                List<String> names = List.of(phase.name(), SentNames.of(result.plan(), of.name()));
                lines.add(Line.of(names, phase.threads(), of.figures()));
            });
            if (phase.operations().size() > 1) {
                lines.add(Line.of(List.of(phase.name(), Operations.ALL), phase.threads(), phase.figures()));
            }
        }
        return figures("operations", List.of(Bins.PHASE, Bins.OPERATION), REQUESTS, RATE, lines)
                .in(Wording.of(result.plan()));
    }

    /**
     * Each phase, the measured phases, and all.
     *
     * @param result of a run
     * @return the table {@code summary}
     */
    public static Table summary(Result result) {
        Figures measured = result.measured();
        List<Line> lines = new ArrayList<>();
        result.phases().forEach(of -> lines.add(Line.of(List.of(of.name()), of.threads(), of.figures())));
        lines.add(Line.of(List.of(new Strong("measured")), null, measured));
        if (measured.failed() > 0) {
            double rate = measured.succeededPerSecond();
            Latency times = measured.responseOfSuccesses();
            lines.add(new Line(List.of("its successes"), null, measured.succeeded(), null, null, rate, times));
        }
        if (result.measuredPhases().size() < result.phases().size()) {
            lines.add(Line.of(List.of("all"), null, result.totals()));
        }
        return figures("summary", List.of(Bins.PHASE), REQUESTS, RATE, lines).in(Wording.of(result.plan()));
    }

    /**
     * Each part of a phase between changes of its load.
     *
     * @param result of a run
     * @return the table {@code segments}; empty if no load was changed
     */
    public static Table segments(Result result) {
        List<Column> names = List.of(Bins.PHASE, Column.of("from_s", "from", "s"), Column.text("load"));
        List<Line> lines = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            for (SegmentResult part : phase.segments()) {
                String load = part.load().matches("\\d+") ? part.load() + " users" : part.load();
                lines.add(Line.of(List.of(phase.name(), part.fromMs() / 1_000, load), null, part.figures()));
            }
        }
        return figures("segments", names, REQUESTS, RATE, lines).in(Wording.of(result.plan()));
    }

    /**
     * Each journey and each group of steps in each phase, with its time from when its first request was due to the end
     * of its last one.
     *
     * @param result of a run
     * @return the table {@code journeys}; empty without journeys
     */
    public static Table journeys(Result result) {
        List<Column> names = List.of(Bins.PHASE, Column.text("journey"));
        Column rate = new Column("journeys_per_second", "per second", "", 1);
        List<Line> lines = result.phases().stream()
                .flatMap(phase -> phase.journeys().stream()
                        .map(of -> Line.of(List.of(phase.name(), of.name()), phase.threads(), of.figures())))
                .toList();
        return figures("journeys", names, Column.count("journeys"), rate, lines);
    }

    /** A row of figures; {@code null} is nothing to say. */
    private record Line(
            List<?> names,
            Integer threads,
            long requests,
            Long failed,
            Double failedPercent,
            double perSecond,
            Latency times) {

        static Line of(List<?> names, Integer threads, Figures of) {
            double rate = of.requestsPerSecond();
            return new Line(names, threads, of.requests(), of.failed(), of.failedPercent(), rate, of.response());
        }
    }

    private static Table figures(String name, List<Column> names, Column count, Column rate, List<Line> lines) {
        Columns<Line> columns = new Columns<>();
        for (int i = 0; i < names.size(); i++) {
            int index = i;
            columns.add(names.get(i), of -> of.names().get(index));
        }
        return columns.count("threads", Line::threads)
                .add(count, Line::requests)
                .count("failed", Line::failed)
                .add(percent("failed_percent", "failed"), Line::failedPercent)
                .add(rate, Line::perSecond)
                .times(Line::times)
                .table(name, lines.stream());
    }

    private static Column percent(String name, String title) {
        return new Column(name, title, "%", 2);
    }

    /** The causes of all failures, the most frequent first. */
    static List<String> causesByCount(Result result) {
        return result.totals().failures().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
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
        Table.Builder table = new Table.Builder("causes")
                .texts("cause", "phase", "operation")
                .count("count")
                .column(percent("percent", "of all"))
                .texts("first_message", "first", "last");
        for (String cause : causesByCount(result)) {
            for (PhaseResult phase : result.phases()) {
                for (int i = 0; i < phase.operations().size(); i++) {
                    OperationResult operation = phase.operations().get(i);
                    Figures figures = operation.figures();
                    Long count = figures.failures().get(cause);
                    if (count != null) {
                        List<String> when = when(cause, phase, i, intervals);
                        table.row(
                                cause,
                                phase.name(),
                                SentNames.of(result.plan(), operation.name()),
                                count,
                                100.0 * count / result.totals().requests(),
                                figures.failureDetails().getOrDefault(cause, ""),
                                first(when),
                                last(when));
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
        Table.Builder table = new Table.Builder("failures-by-cause")
                .texts("cause")
                .count("count")
                .column(percent("percent", "of all requests"))
                .texts("phases", "operations", "first", "last", "first_message");
        for (String cause : causesByCount(result)) {
            long count = result.totals().failures().get(cause);
            Stream<String> phases = result.phases().stream()
                    .filter(of -> of.figures().failures().containsKey(cause))
                    .map(PhaseResult::name);
            Stream<String> operations = result.phases().stream()
                    .flatMap(phase -> phase.operations().stream())
                    .filter(of -> of.figures().failures().containsKey(cause))
                    .map(of -> SentNames.of(result.plan(), of.name()))
                    .distinct();
            List<String> when = intervals.stream()
                    .filter(of -> of.operations().stream()
                            .anyMatch(tally -> tally.causes().containsKey(cause)))
                    .map(ResultTables::clock)
                    .toList();
            table.row(
                    cause,
                    count,
                    100.0 * count / result.totals().requests(),
                    names(phases.toList(), "phases"),
                    names(operations.toList(), "operations"),
                    first(when),
                    last(when),
                    result.totals().failureDetails().getOrDefault(cause, ""));
        }
        return table.build().in(Wording.of(result.plan()));
    }

    private static Optional<String> first(List<String> all) {
        return all.stream().findFirst();
    }

    private static Optional<String> last(List<String> all) {
        return all.stream().reduce((before, after) -> after);
    }

    private static String names(List<String> names, String many) {
        return names.size() > MOST_NAMES ? names.size() + " " + many : String.join(", ", names);
    }

    private static List<String> when(String cause, PhaseResult phase, int operation, List<Interval> intervals) {
        return intervals.stream()
                .filter(of -> of.phase().equals(phase.name()))
                .filter(of -> of.operations().get(operation).causes().containsKey(cause))
                .map(ResultTables::clock)
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
        Columns<ServerReadings> columns = new Columns<ServerReadings>()
                .add(Bins.PHASE, of -> of.phase().name())
                .count("samples", of -> of.use().samples());
        if (!metrics.pages().containsKey("")) {
            columns.text("server", ServerReadings::server);
        }
        shown(result, metrics)
                .forEach(name -> columns.add(new Column(name, name, "", 1), of -> of.figure(name, Spread::mean))
                        .add(new Column(name + "_max", "max", "", 1), of -> of.figure(name, Spread::max)));
        return columns.table("server-use", result.phases().stream().flatMap(phase -> metrics.pages().keySet().stream()
                .map(of -> new ServerReadings(phase, of))));
    }

    private record ServerReadings(PhaseResult phase, String server) {

        ServerUse use() {
            return phase.server().orElseThrow();
        }

        Object figure(String name, Function<Spread, Double> of) {
            Spread spread = use().figures().get(ServerMetrics.name(server, name));
            return spread == null ? Missing.NOT_MEASURED : of.apply(spread);
        }
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
