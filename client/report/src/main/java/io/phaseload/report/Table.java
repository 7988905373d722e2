package io.phaseload.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A tidy table: a row an observation, a column a variable. Charts read it by its name.
 *
 * @param name lower-case letters and dashes, such as {@code intervals}
 * @param columns in order
 * @param rows cells in the columns' order: text, numbers, or {@code null} for what isn't known
 */
public record Table(String name, List<Column> columns, List<List<Object>> rows) {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final double THOUSAND = 1_000;

    /**
     * What a column holds.
     *
     * @param name its key in JSON, such as {@code p99_ms}
     * @param title for people, such as {@code p99}
     * @param unit of its numbers, such as {@code ms}; empty for texts and counts
     */
    public record Column(String name, String title, String unit) {

        static Column text(String name) {
            return new Column(name, name.replace('_', ' '), "");
        }

        static Column of(String name, String title, String unit) {
            return new Column(name, title, unit);
        }

        /**
         * As a heading.
         *
         * @return such as {@code p99 (ms)}
         */
        public String heading() {
            return unit.isEmpty() ? title : title + " (" + unit + ")";
        }
    }

    /** Keeps columns and rows from being changed. */
    public Table {
        columns = List.copyOf(columns);
        rows = Collections.unmodifiableList(rows);
    }

    /** Adds rows to a table to be. Not thread-safe. */
    static final class Builder {

        private final String name;
        private final List<Column> columns;
        private final List<List<Object>> rows = new ArrayList<>();

        Builder(String name, Column... columns) {
            this.name = name;
            this.columns = List.of(columns);
        }

        Builder row(Object... cells) {
            if (cells.length != columns.size()) {
                throw new IllegalArgumentException(
                        "%s: %d cells: expected %d".formatted(name, cells.length, columns.size()));
            }
            rows.add(
                    Collections.unmodifiableList(
                            Arrays.asList(Arrays.stream(cells).map(Table::rounded).toArray())));
            return this;
        }

        Table build() {
            return new Table(name, columns, rows);
        }
    }

    /** To three places: microseconds of milliseconds. What isn't finite isn't known. */
    private static Object rounded(Object cell) {
        if (!(cell instanceof Double number)) {
            return cell;
        }
        return Double.isFinite(number) ? Math.round(number * THOUSAND) / THOUSAND : null;
    }

    /**
     * Whether there is nothing to show.
     *
     * @return {@code true} without rows
     */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * The rows as Vega-Lite takes them: an array of objects.
     *
     * @return JSON on one line without any {@code <}, so that it can stand in a page
     */
    public String json() {
        return escaped(MAPPER.writeValueAsString(objects()));
    }

    /**
     * Several tables as Vega-Lite's {@code datasets}: an object with an array of objects for each.
     *
     * @param tables with different names
     * @return JSON as that of {@link #json()}
     */
    public static String json(List<Table> tables) {
        Map<String, Object> datasets = new LinkedHashMap<>();
        tables.forEach(table -> datasets.put(table.name(), table.objects()));
        return escaped(MAPPER.writeValueAsString(datasets));
    }

    /** Only within texts of JSON there can be what is replaced here. */
    static String escaped(String json) {
        return json.replace("<", "\\u003c")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private List<Map<String, Object>> objects() {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (List<Object> row : rows) {
            Map<String, Object> object = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                object.put(columns.get(i).name(), row.get(i));
            }
            objects.add(object);
        }
        return objects;
    }
}
