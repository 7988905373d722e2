package io.phaseload.cli.cluster;

import io.phaseload.cluster.clock.ClockDrift;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.files.Csv;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The readings of {@code phaseload clock}: of each pair of machines, and of each time. */
final class ClockTables {

    private static final List<Column> COLUMNS = List.of(
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
            ms("wall_bound", "give or take"),
            ms("chrony", "by chrony"),
            ms("chrony_bound", "give or take"));

    private final Map<String, List<ClockReading>> readings = new LinkedHashMap<>();
    private final List<List<Object>> rows = new ArrayList<>();
    private final List<List<Object>> points = new ArrayList<>();

    private static Column ms(String name, String title) {
        return new Column(name + "_ms", title, "ms", 6);
    }

    /** The readings at a time. */
    void add(List<ClockReading> all) {
        for (ClockReading reading : all) {
            String pair = reading.of() + " against " + reading.against();
            List<ClockReading> before = readings.computeIfAbsent(pair, name -> new ArrayList<>());
            before.add(reading);
            ClockOffset offset = reading.offset();
            List<Object> row = new ArrayList<>(List.of(
                    reading.of(),
                    reading.against(),
                    reading.seconds(),
                    millis(offset.middle()),
                    millis(offset.lower()),
                    millis(offset.upper()),
                    millis(offset.error(offset.measured())),
                    millis(offset.estimate()),
                    millis(offset.delay()),
                    millis(offset.medianDelay()),
                    millis(offset.p99Delay()),
                    offset.exchanges(),
                    offset.consistent(),
                    millis(reading.wallAhead()),
                    millis(reading.wallError())));
            row.addAll(chrony(reading));
            rows.add(row);
            long base = before.get(0).offset().middle();
            points.add(List.of(
                    pair,
                    reading.seconds(),
                    millis(offset.middle() - base),
                    millis(offset.lower() - base),
                    millis(offset.upper() - base)));
        }
    }

    private static List<Object> chrony(ClockReading reading) {
        return reading.kept()
                .<List<Object>>map(kept -> List.of(millis(kept.ahead()), millis(kept.error())))
                .orElse(List.of(Missing.NOT_MEASURED, Missing.NOT_MEASURED));
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** All readings as CSV; what isn't known is empty. */
    String csv() {
        List<String> head = COLUMNS.stream().map(Column::name).toList();
        return Stream.concat(Stream.of(head), rows.stream().map(row -> row.stream()
                        .map(ClockTables::cell)
                        .toList()))
                .map(cells -> Csv.record(cells) + "\n")
                .collect(Collectors.joining());
    }

    private static String cell(Object cell) {
        if (cell instanceof Missing) {
            return "";
        }
        return cell instanceof Double number ? String.format(Locale.ROOT, "%.6f", number) : cell.toString();
    }

    /** The values of the chart: offsets since a pair's first one. */
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

    /** Of each pair: its clocks at the end, how they drifted apart, and the exchanges. */
    Table summary() {
        List<List<Object>> pairs = new ArrayList<>();
        readings.forEach((pair, all) -> {
            ClockReading last = all.get(all.size() - 1);
            ClockOffset offset = last.offset();
            Optional<ClockDrift> drift =
                    ClockDrift.of(all.stream().map(ClockReading::offset).toList());
            List<Object> row = new ArrayList<>(List.of(pair, all.size()));
            row.addAll(List.of(
                    millis(offset.middle()),
                    millis(offset.error(offset.measured())),
                    drift.<Object>map(ClockDrift::lowPpm).orElse(Missing.NOT_MEASURED),
                    drift.<Object>map(ClockDrift::highPpm).orElse(Missing.NOT_MEASURED),
                    all.stream().allMatch(of -> of.offset().consistent())
                                    && drift.map(ClockDrift::consistent).orElse(true)
                            ? "steady"
                            : "stepped",
                    millis(offset.delay()),
                    millis(offset.medianDelay()),
                    millis(last.wallAhead()),
                    millis(last.wallError())));
            row.addAll(chrony(last));
            pairs.add(row);
        });
        return new Table(
                "clocks",
                List.of(
                        Column.text("pair"),
                        new Column("readings", "readings", "", 0),
                        Column.of("offset_ms", "ahead by", "ms"),
                        Column.of("bound_ms", "give or take", "ms"),
                        Column.of("drift_low_ppm", "drift at least", "ppm"),
                        Column.of("drift_high_ppm", "at most", "ppm"),
                        Column.text("clock"),
                        Column.of("rtt_min_ms", "quickest exchange", "ms"),
                        Column.of("rtt_p50_ms", "median exchange", "ms"),
                        Column.of("wall_ms", "time of day ahead by", "ms"),
                        Column.of("wall_bound_ms", "give or take", "ms"),
                        Column.of("chrony_ms", "ahead by chrony", "ms"),
                        Column.of("chrony_bound_ms", "give or take", "ms")),
                pairs);
    }
}
