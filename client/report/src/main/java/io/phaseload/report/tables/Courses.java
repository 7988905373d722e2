package io.phaseload.report.tables;

import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** How times went over time. */
final class Courses {

    /** Figures over time and their percentiles; 100 is the longest. */
    private static final Map<String, Double> FIGURES = new LinkedHashMap<>();

    private static final int FINE = 40;

    private static final double LONGEST = 100;

    /** Each is a dozen pixels wide; more would take a browser longer to draw than all else. */
    private static final int MOST_COLUMNS = 80;

    /** Of one operation; there may be many of these. */
    private static final int MOST_POINTS = 40;

    private static final int MOST_OPERATIONS = 60;

    /** Points of time times operations. */
    private static final int MOST_CELLS = 480;

    private static final int LEAST_POINTS = 5;

    private static final Column PHASE = Column.text("phase");
    private static final Column START = Column.of("start_s", "start", "s");
    private static final Column END = Column.of("end_s", "end", "s");

    static {
        FIGURES.put("p50", 50.0);
        FIGURES.put("p95", 95.0);
        FIGURES.put("p99", 99.0);
        FIGURES.put("max", LONGEST);
    }

    private Courses() {}

    /**
     * Percentiles over time, of all requests, and where some failed of successes, too. Where bins have too few samples
     * for a percentile, several of a phase are put together until they have enough: an outage has few samples, and must
     * be seen.
     */
    static Table latencies(List<Bin> bins) {
        Table.Builder table = courses("latencies", Column.text("outcome"), Column.text("figure"));
        course(table, bins, of -> of.histogram(Timing.RESPONSE), "all");
        if (bins.stream().anyMatch(bin -> bin.all().failed() > 0)) {
            course(table, bins, Tally::responseOfSuccesses, "succeeded");
        }
        return table.build();
    }

    /** Percentiles of the times of events in streams over time, as in {@link #latencies}. */
    static Table events(List<Bin> bins, String word) {
        Table.Builder table = courses("events", Column.text("time"), Column.text("figure"));
        Timing.all().stream()
                .filter(timing -> timing.section().equals(StreamTimings.SECTION) && timing.is(Timing.Use.THRESHOLD))
                .forEach(timing -> course(table, bins, timing, timing.title(word)));
        return table.build();
    }

    private static Table.Builder courses(String name, Column... of) {
        List<Column> columns = new ArrayList<>(List.of(PHASE));
        columns.addAll(List.of(of));
        columns.add(START);
        columns.add(Column.of("at_s", "time", "s"));
        columns.add(END);
        columns.add(Column.count("samples"));
        columns.add(Column.of("ms", "time", "ms"));
        return new Table.Builder(name, columns.toArray(Column[]::new));
    }

    private static void course(Table.Builder table, List<Bin> bins, Timing timing, String... names) {
        course(table, bins, of -> of.histogram(timing), names);
    }

    private static void course(Table.Builder table, List<Bin> bins, Function<Tally, Histogram> times, String... names) {
        FIGURES.forEach((figure, percent) -> {
            for (List<Bin> phase : byPhase(bins)) {
                for (List<Bin> wide : stretches(phase, times, percent)) {
                    Histogram own = times.apply(sum(wide));
                    double start = start(wide);
                    double end = end(wide);
                    List<Object> row = new ArrayList<>();
                    row.add(wide.get(0).phase());
                    row.addAll(List.of(names));
                    row.addAll(List.of(figure, start, (start + end) / 2, end));
                    row.add(own.getTotalCount());
                    row.add(percent == LONGEST ? Percentiles.maxMillis(own) : Percentiles.millis(own, percent));
                    table.row(row);
                }
            }
        });
    }

    private static List<List<Bin>> byPhase(List<Bin> bins) {
        return List.copyOf(bins.stream()
                .collect(Collectors.groupingBy(Bin::phase, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /** The longest has the stretches of the highest percentile, so that none is drawn above it. */
    private static List<List<Bin>> stretches(List<Bin> phase, Function<Tally, Histogram> times, double percent) {
        return FIGURES.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(of -> percent == LONGEST ? of < LONGEST : of == percent)
                .map(of -> widened(phase, times, of))
                .filter(of -> !of.isEmpty())
                .findFirst()
                .orElseGet(() -> percent == LONGEST ? widened(phase, times, 0) : List.of());
    }

    /** Without what is empty before and after; the rest at a phase's end joins the stretch before. */
    private static List<List<Bin>> widened(List<Bin> phase, Function<Tally, Histogram> times, double percent) {
        List<List<Bin>> all = new ArrayList<>();
        List<Bin> open = new ArrayList<>();
        long samples = 0;
        for (Bin bin : phase) {
            long own = times.apply(bin.all()).getTotalCount();
            if (samples + own > 0) {
                open.add(bin);
            }
            samples += own;
            if (Percentiles.supports(samples, percent / 100)) {
                all.add(open);
                open = new ArrayList<>();
                samples = 0;
            }
        }
        if (!all.isEmpty() && samples > 0) {
            all.get(all.size() - 1).addAll(open);
        }
        return all;
    }

    private static Tally sum(List<Bin> bins) {
        return bins.size() == 1
                ? bins.get(0).all()
                : Tallies.sum(bins.stream().map(Bin::all).toList());
    }

    /** Each of several operations over time, in few points; beyond a number of operations, the most used. */
    static Table operations(List<Bin> bins, List<String> names) {
        Table.Builder table = new Table.Builder(
                "courses",
                Rates.columns(
                        PHASE,
                        Column.text("operation"),
                        Column.of("at_s", "time", "s"),
                        START,
                        END,
                        Column.count("requests")));
        long[] requests = new long[names.size()];
        for (Bin bin : bins) {
            Arrays.setAll(requests, i -> requests[i] + bin.operations().get(i).requests());
        }
        List<Integer> most = IntStream.range(0, names.size())
                .boxed()
                .sorted(Comparator.comparing(i -> -requests[i]))
                .limit(names.size() > 1 ? MOST_OPERATIONS : 0)
                .sorted()
                .toList();
        for (List<Bin> some : together(bins, MOST_POINTS)) {
            double start = start(some);
            double end = end(some);
            for (int operation : most) {
                Tally own = Tallies.sum(some.stream()
                        .map(bin -> bin.operations().get(operation))
                        .toList());
                table.row(Rates.row(
                        own,
                        end - start,
                        some.get(0).phase(),
                        names.get(operation),
                        (start + end) / 2,
                        start,
                        end,
                        own.requests()));
            }
        }
        return table.build();
    }

    /** How many requests took how long: cells of the plane of time and response time. */
    static Table heat(List<Bin> bins) {
        Table.Builder table = new Table.Builder(
                "heat",
                PHASE,
                START,
                END,
                Column.of("low_ms", "from", "ms"),
                Column.of("high_ms", "to", "ms"),
                Column.count("count"),
                Column.of("percent", "of all then", "%"));
        for (List<Bin> column : together(bins, MOST_COLUMNS)) {
            Histogram times = sum(column).histogram(Timing.RESPONSE);
            Percentiles.cells(times)
                    .forEach((cell, count) -> table.row(
                            column.get(0).phase(),
                            start(column),
                            end(column),
                            Percentiles.edge(cell),
                            Percentiles.edge(cell + 1),
                            count,
                            100.0 * count / times.getTotalCount()));
        }
        return table.build();
    }

    /**
     * The response times of each bin as cells, 40 a decade, from which percentiles of any part of the time can be
     * computed to about 3 %; of each of several operations in fewer bins.
     */
    static Table times(List<Bin> bins, List<String> names) {
        Table.Builder table = new Table.Builder(
                "times",
                PHASE,
                Column.text("operation"),
                START,
                END,
                Column.count("requests"),
                Column.count("failed"),
                Column.text("all"),
                Column.text("succeeded"));
        bins.forEach(bin -> times(table, List.of(bin), Operations.ALL, bin.all()));
        for (int i = 0; names.size() > 1 && i < names.size(); i++) {
            int operation = i;
            together(bins, Math.max(LEAST_POINTS, MOST_CELLS / names.size()))
                    .forEach(some -> times(
                            table,
                            some,
                            names.get(operation),
                            Tallies.sum(some.stream()
                                    .map(bin -> bin.operations().get(operation))
                                    .toList())));
        }
        return table.build();
    }

    private static void times(Table.Builder table, List<Bin> bins, String operation, Tally tally) {
        table.row(
                bins.get(0).phase(),
                operation,
                start(bins),
                end(bins),
                tally.requests(),
                tally.failed(),
                fine(tally.histogram(Timing.RESPONSE)),
                tally.failed() == 0 ? "" : fine(tally.responseOfSuccesses()));
    }

    /** Each cell as its place and its count. */
    private static String fine(Histogram times) {
        return Percentiles.cells(times, FINE).entrySet().stream()
                .map(cell -> cell.getKey() + ":" + cell.getValue())
                .collect(Collectors.joining(" "));
    }

    /** As many neighbours of a phase as leave no more than about so many groups. */
    static List<List<Bin>> together(List<Bin> bins, int most) {
        int size = Math.max(1, (bins.size() + most - 1) / most);
        List<List<Bin>> groups = new ArrayList<>();
        for (List<Bin> phase : byPhase(bins)) {
            for (int i = 0; i < phase.size(); i += size) {
                groups.add(phase.subList(i, Math.min(i + size, phase.size())));
            }
        }
        return groups;
    }

    private static double start(List<Bin> bins) {
        return bins.get(0).startSeconds();
    }

    private static double end(List<Bin> bins) {
        return bins.get(bins.size() - 1).endSeconds();
    }
}
