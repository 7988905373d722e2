package io.phaseload.report.tables;

import io.phaseload.host.HostFigure;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Bins.Tallied;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.result.ChangedLoad;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A run as tables: {@code phases}, {@code operations}, {@code percentiles}, {@code distribution}, {@code marks},
 * {@code parts}, {@code offered}, {@code users}, {@code intervals}, {@code latencies}, {@code events}, {@code heat},
 * {@code times}, {@code courses}, {@code failures}, {@code client} and {@code server}.
 */
public final class RunTables {

    private static final String OTHERS = "(others)";
    private static final int MOST_LINES = 6;

    private static final Column FIGURE = Column.text("figure");
    private static final Column MEAN = Column.of("mean", "mean", "");
    private static final Column MAX = Column.of("max", "max", "");

    private final Result result;
    private final List<Bin> bins;
    private final List<String> operations;

    private RunTables(Result result, List<Interval> intervals) {
        this.result = result;
        this.bins = Timeline.of(intervals).bins();
        this.operations = result.phases().stream()
                .findFirst()
                .map(phase -> phase.operations().stream().map(of -> SentNames.of(result.plan(), of.name())))
                .map(names -> names.toList())
                .orElse(List.of());
    }

    /**
     * Creates the tables. In runs of more than ten minutes, intervals are merged into bins of several seconds, by
     * adding histograms.
     *
     * @param result of the run, or of the part to show
     * @param intervals the intervals that the result covers
     * @return the tables; those without data have no rows
     */
    public static List<Table> of(Result result, List<Interval> intervals) {
        RunTables tables = new RunTables(result, intervals);
        List<Table> all = List.of(
                tables.phases(),
                ResultTables.operations(result),
                Percentiles.curves(tables.each(Bins.byPhase(tables.bins))),
                Percentiles.distribution(tables.each(tables.measuredFirst())),
                Percentiles.marks(tables.each(tables.measuredFirst())),
                TimeParts.of(tables.measured(), tables.operations),
                tables.changes(),
                Demand.offered(result.plan(), tables.bins),
                Demand.users(result.plan(), tables.bins),
                tables.intervals(),
                Courses.latencies(tables.bins),
                Courses.events(tables.bins, StreamTable.word(result)),
                Courses.heat(tables.bins),
                Courses.times(tables.bins, tables.operations),
                Courses.operations(tables.bins, tables.operations),
                tables.failures(),
                tables.client(),
                tables.server());
        return all.stream().map(table -> table.in(Wording.of(result.plan()))).toList();
    }

    /**
     * The time that a point of the tables over time stands for.
     *
     * @param intervals of a run
     * @return a second or more
     */
    public static Duration bin(List<Interval> intervals) {
        return Timeline.bin(intervals);
    }

    private Bins measured() {
        return new Bins(bins.stream()
                .filter(bin -> result.measuredPhases().contains(bin.phase()))
                .toList());
    }

    /** All measured phases together come first, which is what the chart opens with. */
    private Map<String, Bins> measuredFirst() {
        List<String> measured = result.measuredPhases();
        Map<String, Bins> phases = new LinkedHashMap<>();
        phases.put(measured.size() == 1 ? measured.get(0) : "(measured)", measured());
        phases.putAll(Bins.byPhase(bins));
        return phases;
    }

    /** Of each phase, all operations together and the most used. */
    private Stream<Tallied> each(Map<String, Bins> phases) {
        List<Integer> most = operations.size() > 1 ? mostUsed() : List.of();
        return phases.entrySet().stream().flatMap(phase -> {
            Bins own = phase.getValue();
            return Stream.concat(
                    Stream.of(new Tallied(phase.getKey(), Operations.ALL, own, own.sum())),
                    most.stream().map(of -> new Tallied(phase.getKey(), operations.get(of), own, own.sum(of))));
        });
    }

    private Table phases() {
        Column users = new Column("threads", "users", "", 0);
        Table.Builder table = new Table.Builder("phases", Bins.PHASE, Bins.START, Bins.END, users).count("measured");
        Map<String, Bins> phases = Bins.byPhase(bins);
        for (PhaseResult phase : result.phases()) {
            Bins own = phases.get(phase.name());
            if (own != null) {
                int measured = result.measuredPhases().contains(phase.name()) ? 1 : 0;
                table.row(phase.name(), own.start(), own.end(), phase.threads(), measured);
            }
        }
        return table.build();
    }

    private Table changes() {
        return new Columns<ChangedLoad>()
                .add(Bins.PHASE, ChangedLoad::phase)
                .add(Bins.AT, of -> of.atMs() / 1_000)
                .text("change", ChangedLoad::text)
                .text("origin", ChangedLoad::origin)
                .table("load_changes", result.changes().stream());
    }

    private Table intervals() {
        List<Integer> most = mostUsed();
        List<Integer> others = IntStream.range(0, operations.size())
                .boxed()
                .filter(i -> !most.contains(i))
                .toList();
        return Bins.rates("intervals", bins.stream().flatMap(bin -> {
            Tallied all = Bins.tallied(bin);
            List<Tallied> rows = new ArrayList<>(List.of(all));
            if (operations.size() > 1) {
                most.forEach(i -> rows.add(all.when().tallied(operations, i)));
            }
            if (!others.isEmpty()) {
                Tally sum =
                        Tallies.sum(others.stream().map(bin.operations()::get).toList());
                rows.add(new Tallied(bin.phase(), OTHERS, all.when(), sum));
            }
            return rows.stream();
        }));
    }

    /** The operations with lines of their own: colours can't tell more apart. */
    private List<Integer> mostUsed() {
        return IntStream.range(0, operations.size())
                .boxed()
                .sorted(Comparator.comparing(this::requests).reversed())
                .limit(operations.size() == MOST_LINES + 1 ? MOST_LINES + 1 : MOST_LINES)
                .sorted()
                .toList();
    }

    private long requests(int operation) {
        return result.phases().stream()
                .mapToLong(phase -> phase.operations().get(operation).figures().requests())
                .sum();
    }

    private Table failures() {
        Table.Builder table = new Table.Builder("failures", Bins.PHASE)
                .texts("cause")
                .column(Bins.START)
                .column(Bins.END)
                .count("count")
                .number("per_second", "failures", "per second");
        for (Bin bin : bins) {
            bin.all()
                    .causes()
                    .forEach((cause, failures) -> table.row(
                            bin.phase(),
                            cause,
                            bin.startSeconds(),
                            bin.endSeconds(),
                            failures.count(),
                            failures.count() / bin.lengthSeconds()));
        }
        return table.build();
    }

    private Table client() {
        Column client = Column.text("client");
        Table.Builder table = new Table.Builder("client", Bins.PHASE, Bins.AT, client, FIGURE, MEAN, MAX);
        List<String> machines = bins.stream()
                .flatMap(bin -> bin.client().stream())
                .flatMap(figures -> figures.values().keySet().stream())
                .map(HostFigures::machine)
                .distinct()
                .sorted()
                .toList();
        List<String> all = HostFigure.names().stream()
                .flatMap(figure -> machines.stream().map(machine -> ServerMetrics.name(machine, figure)))
                .toList();
        List<String> names = NamedFigures.first(reported(all, Bin::client), result);
        for (Bin bin : bins) {
            Histogram waits = bin.all().histogram(Timing.LEASE);
            if (waits.getTotalCount() > 0) {
                double mean = waits.getMean() / 1e6;
                table.row(bin.phase(), bin.atSeconds(), "", "pool wait (ms)", mean, Percentiles.maxMillis(waits));
            }
            figures(names, bin.client())
                    .forEach((name, values) -> table.row(
                            bin.phase(),
                            bin.atSeconds(),
                            HostFigures.machine(name),
                            FigureTitle.of(HostFigures.figure(name)),
                            values.getAverage(),
                            values.getMax()));
        }
        return table.build();
    }

    private Table server() {
        Column unit = Column.text("unit");
        Table.Builder table = new Table.Builder("server", Bins.PHASE, Bins.AT, FIGURE, unit, MEAN, MAX);
        List<String> all = result.plan().serverFigures();
        boolean chosen = result.plan()
                .serverMetrics()
                .filter(asked -> !asked.choices().isEmpty())
                .isPresent();
        List<String> names = chosen ? all : NamedFigures.first(reported(all, Bin::server), result);
        for (Bin bin : bins) {
            figures(names, bin.server())
                    .forEach((name, values) -> table.row(
                            bin.phase(),
                            bin.atSeconds(),
                            title(name),
                            unit(name),
                            values.getAverage(),
                            values.getMax()));
        }
        return table.build();
    }

    /** Those that weren't zero throughout: a chart of others would tell nothing. */
    private List<String> reported(List<String> names, Function<Bin, List<HostFigures>> of) {
        Set<String> reported = bins.stream()
                .flatMap(bin -> of.apply(bin).stream())
                .flatMap(known -> known.values().entrySet().stream())
                .filter(figure -> figure.getValue() != 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return names.stream().filter(reported::contains).toList();
    }

    private static Map<String, DoubleSummaryStatistics> figures(List<String> names, List<HostFigures> bin) {
        Map<String, DoubleSummaryStatistics> figures = new LinkedHashMap<>();
        for (String name : names) {
            DoubleSummaryStatistics values = bin.stream()
                    .map(reported -> reported.values().get(name))
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .summaryStatistics();
            if (values.getCount() > 0) {
                figures.put(name, values);
            }
        }
        return figures;
    }

    /** Those that are known have words; others are as the user named them. */
    private String title(String name) {
        String figure = name.substring(name.indexOf('.') + 1);
        String server = name.substring(0, name.length() - figure.length()).replace(".", ": ");
        if (figure.equals("inFlight")) {
            return server + "in flight (requests)";
        }
        return server + (isKnown(figure) ? FigureTitle.of(figure) : figure);
    }

    private String unit(String name) {
        String figure = name.substring(name.indexOf('.') + 1);
        return switch (figure) {
            case "inFlight" -> "requests";
            case "busyThreads" -> "threads";
            default -> isKnown(figure) ? FigureTitle.unit(figure) : "";
        };
    }

    private boolean isKnown(String figure) {
        return result.plan().serverMetrics().orElseThrow().choices().isEmpty()
                || ServerMetrics.KNOWN_FIGURES.subList(0, 4).contains(figure);
    }
}
