package io.phaseload.result.store;

import io.phaseload.measure.Interval;
import io.phaseload.measure.ServerFigures;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The lines of {@code intervals.csv} that hold what the target reported about itself: without an
 * operation, and with a column a figure behind those of the requests. What it didn't report is
 * empty.
 *
 * @param names of the figures, in the order of their columns
 */
record ServerRow(List<String> names) {

    /** What the other lines have in these columns. */
    String blank() {
        return ",".repeat(names.size());
    }

    String header() {
        return columns().stream().map(column -> "," + column).collect(Collectors.joining());
    }

    List<String> columns() {
        return names.stream().map(ServerRow::column).toList();
    }

    String toCsv(Interval interval, ServerFigures figures) {
        String cells =
                names.stream()
                        .map(figures.values()::get)
                        .map(value -> value == null ? "," : "," + value)
                        .collect(Collectors.joining());
        return IntervalRow.place(interval.phase(), "", interval.start(), interval.length())
                + IntervalRow.WITHOUT_REQUESTS
                + cells;
    }

    /** Reads a line's cells back, by their columns. */
    ServerFigures parse(Map<String, String> row) {
        Map<String, Double> values = new HashMap<>();
        for (String name : names) {
            String cell = row.getOrDefault(column(name), "");
            if (!cell.isEmpty()) {
                values.put(name, Double.valueOf(cell));
            }
        }
        return new ServerFigures(values);
    }

    /** As the other columns are written: {@code heapMiB} is {@code server_heap_mib}. */
    private static String column(String name) {
        String words = name.replaceAll("([a-z])([A-Z])(?=[a-z])", "$1_$2");
        return "server_" + words.toLowerCase(Locale.ROOT);
    }
}
