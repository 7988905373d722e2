package io.phaseload.report.cells;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Rows of a table, by the names of its columns.
 *
 * @param all the rows, in order
 */
public record Rows(List<Row> all) {

    /**
     * One row.
     *
     * @param cells by the names of their columns
     */
    public record Row(Map<String, Object> cells) {

        /**
         * This row with one cell more, or another one.
         *
         * @param column its name
         * @return a copy
         */
        public Row with(String column, Object cell) {
            Map<String, Object> more = new LinkedHashMap<>(cells);
            more.put(column, cell);
            return new Row(more);
        }

        /**
         * A cell as text.
         *
         * @param column its name
         * @return the text, {@code null} for nothing
         */
        public String text(String column) {
            return String.valueOf(cells.get(column));
        }

        /**
         * A cell as a number.
         *
         * @param column its name
         * @return the number, NaN if it isn't known
         */
        public double number(String column) {
            return cells.get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
        }
    }

    /**
     * The rows of a table.
     *
     * @param tables some tables
     * @param name of one of them
     * @return its rows; none if there is no such table
     */
    public static Rows of(List<Table> tables, String name) {
        return new Rows(tables.stream()
                .filter(table -> table.name().equals(name))
                .flatMap(table -> table.rows().stream().map(cells -> row(table, cells)))
                .toList());
    }

    private static Row row(Table table, List<Object> cells) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(table.columns().get(i).name(), cells.get(i));
        }
        return new Row(row);
    }

    /**
     * Some of these rows.
     *
     * @param column a column's name
     * @param value its text
     * @return those with this text
     */
    public Rows where(String column, String value) {
        return where(row -> row.text(column).equals(value));
    }

    /**
     * Some of these rows.
     *
     * @return those, in order
     */
    public Rows where(Predicate<Row> wanted) {
        return new Rows(all.stream().filter(wanted).toList());
    }

    /**
     * Groups rows by the values of columns.
     *
     * @param columns their names
     * @return the rows of each, in order of first appearance
     */
    public Map<String, Rows> by(String... columns) {
        return all.stream()
                .collect(Collectors.groupingBy(
                        row -> List.of(columns).stream().map(row::text).collect(Collectors.joining(" · ")),
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), Rows::new)));
    }

    /**
     * Whether there are no rows.
     *
     * @return {@code true} without rows
     */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * A column.
     *
     * @param column its name
     * @return its numbers, NaN where one isn't known
     */
    public double[] numbers(String column) {
        return all.stream().mapToDouble(row -> row.number(column)).toArray();
    }
}
