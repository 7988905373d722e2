package io.phaseload.result.store;

import io.phaseload.host.HostFigure;
import io.phaseload.measure.HostFigures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Columns of {@code intervals.csv}, a figure each, behind those of the requests: what became of the client, or what the
 * target said of itself. They are filled in lines of their own, which have no operation. Unknown values are empty.
 *
 * @param prefix of the columns' names
 * @param names of the figures, in the order of their columns
 */
record HostColumns(String prefix, List<String> names) {

    /** Those of the client, which all runs have. */
    static final HostColumns CLIENT = new HostColumns("client_", HostFigure.names());

    /** Those of the target, as it was asked for them. */
    static HostColumns server(List<String> names) {
        return new HostColumns("server_", names);
    }

    /** The values of other lines in these columns. */
    String blank() {
        return cells(HostFigures.GAP);
    }

    String header() {
        return columns().stream().map(column -> "," + column).collect(Collectors.joining());
    }

    List<String> columns() {
        return names.stream().map(this::column).toList();
    }

    String cells(HostFigures figures) {
        return names.stream()
                .map(figures.values()::get)
                .map(value -> value == null ? "," : "," + value)
                .collect(Collectors.joining());
    }

    /** Reads a line's cells back, by their columns. */
    HostFigures parse(Map<String, String> row) {
        Map<String, Double> values = new HashMap<>();
        for (String name : names) {
            String cell = row.getOrDefault(column(name), "");
            if (!cell.isEmpty()) {
                double value = Double.parseDouble(cell);
                if (!Double.isFinite(value)) {
                    throw new IllegalArgumentException(cell + ": expected a finite number");
                }
                values.put(name, value);
            }
        }
        return new HostFigures(values);
    }

    /** As the other columns are written: {@code heapMiB} is {@code server_heap_mib}. */
    private String column(String name) {
        return prefix + HostFigure.lowerCase(name, "_");
    }
}
