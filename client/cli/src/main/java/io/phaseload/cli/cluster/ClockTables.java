package io.phaseload.cli.cluster;

import io.phaseload.cluster.clock.ClockDrift;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.files.Csv;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The readings of {@code phaseload clock}: of each pair of machines, and of each time. */
final class ClockTables {

    private final List<ClockReading> readings = new ArrayList<>();

    /** The readings at a time. */
    void add(List<ClockReading> all) {
        readings.addAll(all);
    }

    boolean isEmpty() {
        return readings.isEmpty();
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private static double bound(ClockOffset offset) {
        return millis(offset.error(offset.measured()));
    }

    private static Column exact(String name, String title, String unit) {
        return new Column(name, title, unit, 6);
    }

    private static Column exact(String name) {
        return exact(name, name, "");
    }

    /** All readings as CSV; what isn't known is empty. */
    String csv() {
        Table table = new Columns<ClockReading>()
                .text("of", ClockReading::of)
                .text("against", ClockReading::against)
                .add(exact("at_s"), ClockReading::seconds)
                .add(exact("offset_ms"), of -> millis(of.offset().middle()))
                .add(exact("low_ms"), of -> millis(of.offset().lower()))
                .add(exact("high_ms"), of -> millis(of.offset().upper()))
                .add(exact("bound_ms"), of -> bound(of.offset()))
                .add(exact("estimate_ms"), of -> millis(of.offset().estimate()))
                .add(exact("rtt_min_ms"), of -> millis(of.offset().delay()))
                .add(exact("rtt_p50_ms"), of -> millis(of.offset().medianDelay()))
                .add(exact("rtt_p99_ms"), of -> millis(of.offset().p99Delay()))
                .count("exchanges", of -> of.offset().exchanges())
                .text("consistent", of -> of.offset().consistent())
                .add(exact("wall_ms"), of -> millis(of.wallAhead()))
                .add(exact("wall_bound_ms"), of -> millis(of.wallError()))
                .add(exact("chrony_ms"), of -> of.kept().map(kept -> millis(kept.ahead())))
                .add(exact("chrony_bound_ms"), of -> of.kept().map(kept -> millis(kept.error())))
                .table("readings", readings.stream());
        List<String> head = table.columns().stream().map(Column::name).toList();
        return Stream.concat(Stream.of(head), table.cells(Column::write).stream())
                .map(cells -> Csv.record(cells) + "\n")
                .collect(Collectors.joining());
    }

    /** The readings of a pair, in order. */
    private record Pair(List<ClockReading> all, Optional<ClockDrift> drift) {

        static String name(ClockReading reading) {
            return reading.of() + " against " + reading.against();
        }

        ClockReading last() {
            return all.get(all.size() - 1);
        }

        boolean isSteady() {
            return all.stream().allMatch(of -> of.offset().consistent())
                    && drift.map(ClockDrift::consistent).orElse(true);
        }
    }

    /** The values of the chart: offsets since a pair's first one. */
    Table points() {
        Map<String, Long> first = new LinkedHashMap<>();
        readings.forEach(of -> first.putIfAbsent(Pair.name(of), of.offset().middle()));
        return new Columns<ClockReading>()
                .text("pair", Pair::name)
                .number("at_s", "time", "s", ClockReading::seconds)
                .add(
                        exact("offset_ms", "offset since the first", "ms"),
                        of -> millis(of.offset().middle() - first.get(Pair.name(of))))
                .add(exact("low_ms", "at least", "ms"), of -> millis(of.offset().lower() - first.get(Pair.name(of))))
                .add(exact("high_ms", "at most", "ms"), of -> millis(of.offset().upper() - first.get(Pair.name(of))))
                .table("clock", readings.stream());
    }

    /** Of each pair: its clocks at the end, how they drifted apart, and the exchanges. */
    Table summary() {
        Stream<Pair> pairs = readings.stream()
                .collect(Collectors.groupingBy(Pair::name, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(all -> new Pair(
                        all,
                        ClockDrift.of(all.stream().map(ClockReading::offset).toList())));
        return new Columns<Pair>()
                .text("pair", of -> Pair.name(of.last()))
                .count("readings", of -> of.all().size())
                .number(
                        "offset_ms",
                        "ahead by",
                        "ms",
                        of -> millis(of.last().offset().middle()))
                .number("bound_ms", "give or take", "ms", of -> bound(of.last().offset()))
                .number("drift_low_ppm", "drift at least", "ppm", of -> known(of.drift(), ClockDrift::lowPpm))
                .number("drift_high_ppm", "at most", "ppm", of -> known(of.drift(), ClockDrift::highPpm))
                .text("clock", of -> of.isSteady() ? "steady" : "stepped")
                .number(
                        "rtt_min_ms",
                        "quickest exchange",
                        "ms",
                        of -> millis(of.last().offset().delay()))
                .number(
                        "rtt_p50_ms",
                        "median exchange",
                        "ms",
                        of -> millis(of.last().offset().medianDelay()))
                .number(
                        "wall_ms",
                        "time of day ahead by",
                        "ms",
                        of -> millis(of.last().wallAhead()))
                .number(
                        "wall_bound_ms",
                        "give or take",
                        "ms",
                        of -> millis(of.last().wallError()))
                .number(
                        "chrony_ms",
                        "ahead by chrony",
                        "ms",
                        of -> known(of.last().kept(), kept -> millis(kept.ahead())))
                .number(
                        "chrony_bound_ms",
                        "give or take",
                        "ms",
                        of -> known(of.last().kept(), kept -> millis(kept.error())))
                .table("clocks", pairs);
    }

    private static <T> Object known(Optional<T> of, Function<T, Double> value) {
        return of.<Object>map(value).orElse(Missing.NOT_MEASURED);
    }
}
