package io.phaseload.report.tables;

import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Bins.Tallied;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        Table.Builder table = courses("latencies", "outcome");
        course(table, bins, Tally::requests, of -> of.histogram(Timing.RESPONSE), "all");
        if (bins.stream().anyMatch(bin -> bin.all().failed() > 0)) {
            course(table, bins, Tally::succeeded, Tally::responseOfSuccesses, "succeeded");
        }
        return table.build();
    }

    /** Percentiles of the times of events in streams over time, as in {@link #latencies}. */
    static Table events(List<Bin> bins, String word) {
        Table.Builder table = courses("events", "time");
        Timing.all().stream()
                .filter(timing -> timing.section().equals(StreamTimings.SECTION) && timing.is(Timing.Use.THRESHOLD))
                .forEach(timing ->
                        course(table, bins, of -> of.count(timing), of -> of.histogram(timing), timing.title(word)));
        return table.build();
    }

    private static Table.Builder courses(String name, String line) {
        return new Table.Builder(name, Bins.PHASE)
                .texts(line, "figure")
                .column(Bins.START)
                .column(Bins.AT)
                .column(Bins.END)
                .count("samples")
                .number("ms", "time", "ms");
    }

    /** When some neighbouring bins of a phase began, and when they ended (s). */
    private record Stretch(String phase, double start, double end) {}

    /** The counts are those of the times; no histogram is unpacked for them, and for the figures each is once. */
    private static void course(
            Table.Builder table,
            List<Bin> bins,
            ToLongFunction<Tally> counts,
            Function<Tally, Histogram> times,
            String line) {
        Map<Stretch, Map<String, Double>> known = new HashMap<>();
        FIGURES.forEach((figure, percent) -> Bins.byPhase(bins).values().stream()
                .flatMap(phase -> stretches(phase.all(), counts, percent).stream())
                .forEach(wide -> {
                    Stretch stretch = new Stretch(wide.phase(), wide.start(), wide.end());
                    long samples = wide.all().stream()
                            .mapToLong(bin -> counts.applyAsLong(bin.all()))
                            .sum();
                    table.row(
                            stretch.phase(),
                            line,
                            figure,
                            stretch.start(),
                            wide.at(),
                            stretch.end(),
                            samples,
                            known.computeIfAbsent(stretch, first -> millis(times.apply(wide.sum())))
                                    .get(figure));
                }));
    }

    /** By figure; null where there are too few samples. */
    private static Map<String, Double> millis(Histogram times) {
        Map<String, Double> millis = new HashMap<>();
        FIGURES.forEach((figure, percent) -> millis.put(
                figure, percent == LONGEST ? Percentiles.maxMillis(times) : Percentiles.millis(times, percent)));
        return millis;
    }

    /** The longest has the stretches of the highest percentile, so that none is drawn above it. */
    private static List<Bins> stretches(List<Bin> phase, ToLongFunction<Tally> counts, double percent) {
        return FIGURES.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(of -> percent == LONGEST ? of < LONGEST : of == percent)
                .map(of -> widened(phase, counts, of))
                .filter(of -> !of.isEmpty())
                .findFirst()
                .orElseGet(() -> percent == LONGEST ? widened(phase, counts, 0) : List.of());
    }

    /** Without what is empty before and after; the rest at a phase's end joins the stretch before. */
    private static List<Bins> widened(List<Bin> phase, ToLongFunction<Tally> counts, double percent) {
        List<Bins> all = new ArrayList<>();
        List<Bin> open = new ArrayList<>();
        long samples = 0;
        for (Bin bin : phase) {
            long own = counts.applyAsLong(bin.all());
            if (samples + own > 0) {
                open.add(bin);
            }
            samples += own;
            if (Percentiles.supports(samples, percent / 100)) {
                all.add(new Bins(open));
                open = new ArrayList<>();
                samples = 0;
            }
        }
        if (!all.isEmpty() && samples > 0) {
            all.get(all.size() - 1).all().addAll(open);
        }
        return all;
    }

    /** Each of several operations over time, in few points; beyond a number of operations, the most used. */
    static Table operations(List<Bin> bins, List<String> names) {
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
        return Bins.rates("courses", Bins.together(bins, MOST_POINTS).stream().flatMap(some -> most.stream()
                .map(of -> some.tallied(names, of))));
    }

    /** How many requests took how long: cells of the plane of time and response time. */
    static Table heat(List<Bin> bins) {
        Table.Builder table = new Table.Builder("heat", Bins.PHASE, Bins.START, Bins.END)
                .number("low_ms", "from", "ms")
                .number("high_ms", "to", "ms")
                .count("count")
                .number("percent", "of all then", "%");
        for (Bins column : Bins.together(bins, MOST_COLUMNS)) {
            Histogram times = column.sum().histogram(Timing.RESPONSE);
            Percentiles.cells(times)
                    .forEach((cell, count) -> table.row(
                            column.phase(),
                            column.start(),
                            column.end(),
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
        List<Bins> wide = Bins.together(bins, Math.max(LEAST_POINTS, MOST_CELLS / Math.max(1, names.size())));
        Stream<Tallied> each = IntStream.range(0, names.size() > 1 ? names.size() : 0)
                .boxed()
                .flatMap(i -> wide.stream().map(some -> some.tallied(names, i)));
        return new Columns<Tallied>()
                .add(Bins.PHASE, Tallied::phase)
                .add(Bins.OPERATION, Tallied::operation)
                .add(Bins.START, of -> of.when().start())
                .add(Bins.END, of -> of.when().end())
                .count("requests", of -> of.sum().requests())
                .count("failed", of -> of.sum().failed())
                .text("all", of -> fine(of.sum().histogram(Timing.RESPONSE)))
                .text(
                        "succeeded",
                        of -> of.sum().failed() == 0 ? "" : fine(of.sum().responseOfSuccesses()))
                .table("times", Stream.concat(bins.stream().map(Bins::tallied), each));
    }

    /** Each cell as its place and its count. */
    private static String fine(Histogram times) {
        return Percentiles.cells(times, FINE).entrySet().stream()
                .map(cell -> cell.getKey() + ":" + cell.getValue())
                .collect(Collectors.joining(" "));
    }
}
