package io.phaseload.report.cells;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

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
                .flatMap(table -> table.objects((column, cell) -> cell).stream())
                .map(Row::new)
                .toList());
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
     * These rows with a column more.
     *
     * @param column its name
     * @param cell its number in each row
     * @return copies, in order
     */
    public Rows with(String column, ToDoubleFunction<Row> cell) {
        return new Rows(all.stream()
                .map(row -> row.with(column, cell.applyAsDouble(row)))
                .toList());
    }

    /** Receives the rows of a group. */
    public interface Group {

        /**
         * Receives them.
         *
         * @param index 0 for the first group, and so on
         * @param name the value that they have in common
         */
        void rows(int index, String name, Rows rows);
    }

    /**
     * Groups rows by the values of a column, in order of first appearance.
     *
     * @param column its name
     */
    public void each(String column, Group groups) {
        int index = 0;
        for (Map.Entry<String, Rows> group : by(column).entrySet()) {
            groups.rows(index++, group.getKey(), group.getValue());
        }
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
     * The numbers of some columns, one column after another.
     *
     * @param columns their names
     * @return the numbers; NaN where there is none
     */
    public DoubleStream stream(String... columns) {
        return Stream.of(columns).flatMapToDouble(column -> DoubleStream.of(numbers(column)));
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
