package io.phaseload.report.pictures;

import io.phaseload.report.tables.Table;
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
record Rows(List<Row> all) {

    /** One row. */
    record Row(Map<String, Object> cells) {

        Row with(String column, Object cell) {
            Map<String, Object> more = new LinkedHashMap<>(cells);
            more.put(column, cell);
            return new Row(more);
        }

        String text(String column) {
            return String.valueOf(cells.get(column));
        }

        /** NaN if it isn't known. */
        double number(String column) {
            return cells.get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
        }
    }

    /** The rows of a table by its name; none if there is no such table. */
    static Rows of(List<Table> tables, String name) {
        return new Rows(
                tables.stream()
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

    Rows where(String column, String value) {
        return where(row -> row.text(column).equals(value));
    }

    Rows where(Predicate<Row> wanted) {
        return new Rows(all.stream().filter(wanted).toList());
    }

    /** Groups rows by the values of columns, in order of first appearance. */
    Map<String, Rows> by(String... columns) {
        return all.stream()
                .collect(
                        Collectors.groupingBy(
                                row ->
                                        List.of(columns).stream()
                                                .map(row::text)
                                                .collect(Collectors.joining(" · ")),
                                LinkedHashMap::new,
                                Collectors.collectingAndThen(Collectors.toList(), Rows::new)));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    double[] numbers(String column) {
        return all.stream().mapToDouble(row -> row.number(column)).toArray();
    }
}
