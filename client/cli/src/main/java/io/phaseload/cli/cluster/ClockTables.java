package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClockWatch.Reading;
import io.phaseload.cluster.clock.ClockDrift;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.report.tables.Column;
import io.phaseload.report.tables.Missing;
import io.phaseload.report.tables.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@code phaseload clock} has read: of each pair of machines, and of each time. */
final class ClockTables {

    private static final String COORDINATOR = "coordinator";

    private static final List<Column> COLUMNS =
            List.of(
                    Column.text("of"),
                    Column.text("against"),
                    Column.of("at_s", "at", "s"),
                    ms("offset", "ahead by"),
                    ms("low", "at least"),
                    ms("high", "at most"),
                    ms("bound", "give or take"),
                    ms("estimate", "by the quickest exchange"),
                    ms("rtt_min", "quickest exchange"),
                    ms("rtt_p50", "median exchange"),
                    ms("rtt_p99", "slowest exchange but for 1 %"),
                    Column.text("exchanges"),
                    Column.text("consistent"),
                    ms("wall", "time of day ahead by"),
                    ms("wall_bound", "give or take"));

    private final Map<String, List<Reading>> readings = new LinkedHashMap<>();
    private final List<List<Object>> rows = new ArrayList<>();
    private final Map<String, Long> first = new LinkedHashMap<>();
    private final List<List<Object>> points = new ArrayList<>();

    private static Column ms(String name, String title) {
        return new Column(name + "_ms", title, "ms", 6);
    }

    /** What all agents answered at a time; pairs of agents follow from it. */
    void add(List<Reading> all) {
        for (Reading reading : all) {
            readings.computeIfAbsent(reading.agent(), name -> new ArrayList<>()).add(reading);
            ClockOffset offset = reading.offset();
            row(
                    reading.agent(),
                    COORDINATOR,
                    reading.seconds(),
                    offset.lower(),
                    offset.upper(),
                    List.of(
                            millis(offset.estimate()),
                            millis(offset.delay()),
                            millis(offset.medianDelay()),
                            millis(offset.p99Delay()),
                            offset.exchanges(),
                            offset.consistent()),
                    reading.wallAhead(),
                    reading.wallError());
        }
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                Reading a = all.get(i);
                Reading b = all.get(j);
                List<Object> unknown = new ArrayList<>();
                unknown.add(millis(b.offset().estimate() - a.offset().estimate()));
                for (int k = 0; k < 4; k++) {
                    unknown.add(null);
                }
                unknown.add(a.offset().consistent() && b.offset().consistent());
                row(
                        b.agent(),
                        a.agent(),
                        b.seconds(),
                        b.offset().lower() - a.offset().upper(),
                        b.offset().upper() - a.offset().lower(),
                        unknown,
                        b.wallAhead() - a.wallAhead(),
                        a.wallError() + b.wallError());
            }
        }
    }

    private void row(
            String of,
            String against,
            double seconds,
            long low,
            long high,
            List<Object> exchanges,
            long wall,
            long wallError) {
        long middle = low + (high - low) / 2;
        List<Object> row = new ArrayList<>(List.of(of, against, seconds));
        row.addAll(List.of(millis(middle), millis(low), millis(high), millis((high - low) / 2)));
        row.addAll(exchanges);
        row.addAll(List.of(millis(wall), millis(wallError)));
        rows.add(row);
        String pair = of + " against " + against;
        long base = first.computeIfAbsent(pair, name -> middle);
        points.add(
                List.of(
                        pair,
                        seconds,
                        millis(middle - base),
                        millis(low - base),
                        millis(high - base)));
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** All readings as CSV; what a pair of agents has no figure of is empty. */
    String csv() {
        return COLUMNS.stream().map(Column::name).collect(Collectors.joining(","))
                + "\n"
                + rows.stream()
                        .map(
                                row ->
                                        row.stream()
                                                        .map(ClockTables::cell)
                                                        .collect(Collectors.joining(","))
                                                + "\n")
                        .collect(Collectors.joining());
    }

    private static String cell(Object cell) {
        if (cell == null) {
            return "";
        }
        return cell instanceof Double number
                ? String.format(Locale.ROOT, "%.6f", number)
                : cell.toString();
    }

    /** What the chart shows: offsets since a pair's first one. */
    Table points() {
        return new Table(
                "clock",
                List.of(
                        Column.text("pair"),
                        Column.of("at_s", "time", "s"),
                        ms("offset", "offset since the first"),
                        ms("low", "at least"),
                        ms("high", "at most")),
                points);
    }

    /** Of each agent: its clock at the end, how it drifted, and its exchanges. */
    Table summary() {
        List<List<Object>> agents = new ArrayList<>();
        readings.forEach(
                (name, all) -> {
                    Reading last = all.get(all.size() - 1);
                    ClockOffset offset = last.offset();
                    Optional<ClockDrift> drift =
                            ClockDrift.of(all.stream().map(Reading::offset).toList());
                    List<Object> row = new ArrayList<>(List.of(name, all.size()));
                    row.addAll(
                            List.of(
                                    millis(offset.middle()),
                                    millis(offset.error(offset.measured())),
                                    drift.<Object>map(ClockDrift::lowPpm)
                                            .orElse(Missing.NOT_MEASURED),
                                    drift.<Object>map(ClockDrift::highPpm)
                                            .orElse(Missing.NOT_MEASURED),
                                    all.stream().allMatch(of -> of.offset().consistent())
                                                    && drift.map(ClockDrift::consistent)
                                                            .orElse(true)
                                            ? "steady"
                                            : "stepped",
                                    millis(offset.delay()),
                                    millis(offset.medianDelay()),
                                    millis(last.wallAhead()),
                                    millis(last.wallError())));
                    agents.add(row);
                });
        return new Table(
                "clocks",
                List.of(
                        Column.text("agent"),
                        new Column("readings", "readings", "", 0),
                        Column.of("offset_ms", "ahead by", "ms"),
                        Column.of("bound_ms", "give or take", "ms"),
                        Column.of("drift_low_ppm", "drift at least", "ppm"),
                        Column.of("drift_high_ppm", "at most", "ppm"),
                        Column.text("clock"),
                        Column.of("rtt_min_ms", "quickest exchange", "ms"),
                        Column.of("rtt_p50_ms", "median exchange", "ms"),
                        Column.of("wall_ms", "time of day ahead by", "ms"),
                        Column.of("wall_bound_ms", "give or take", "ms")),
                agents);
    }
}
