package io.phaseload.report.cells;

import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A table, from which text, Markdown, pages and JSON are made. Charts find it by its name.
 *
 * @param name lower-case letters and dashes, such as {@code intervals}
 * @param columns in order
 * @param rows cells in the order of columns: numbers, text, {@link Strong} text, {@link Missing} for a missing figure,
 *     or {@code null} for nothing
 */
public record Table(String name, List<Column> columns, List<List<Object>> rows) {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final double THOUSAND = 1_000;

    /** Keeps columns and rows from being changed. */
    public Table {
        columns = List.copyOf(columns);
        rows = Collections.unmodifiableList(rows);
    }

    /** Builds a table row by row. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private final List<Column> columns;
        private final List<List<Object>> rows = new ArrayList<>();

        public Builder(String name, Column... columns) {
            this(name, List.of(columns));
        }

        public Builder(String name, List<Column> columns) {
            this.name = name;
            this.columns = new ArrayList<>(columns);
        }

        public Builder column(Column column) {
            columns.add(column);
            return this;
        }

        public Builder texts(String... names) {
            Arrays.stream(names).map(Column::text).forEach(columns::add);
            return this;
        }

        public Builder count(String name) {
            return column(Column.count(name));
        }

        public Builder number(String key, String title, String unit) {
            return column(Column.of(key, title, unit));
        }

        public Builder row(Object... cells) {
            return row(Arrays.asList(cells));
        }

        public Builder row(List<?> cells) {
            if (cells.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "%s: %d cells: expected %d".formatted(name, cells.size(), columns.size()));
            }
            rows.add(cells.stream().map(Table::known).toList());
            return this;
        }

        public Table build() {
            return new Table(name, columns, rows);
        }
    }

    /** A number that isn't finite is unknown, as is an empty {@code Optional}. */
    private static Object known(Object cell) {
        Object value = cell instanceof Optional<?> optional ? optional.orElse(null) : cell;
        return value instanceof Double number && !Double.isFinite(number) ? null : value;
    }

    /**
     * Its cells in another form, row by row.
     *
     * @param form a cell in that form, from its column and the cell
     * @return a list for each row
     */
    public <T> List<List<T>> cells(BiFunction<Column, Object, T> form) {
        return rows.stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(i -> form.apply(columns.get(i), row.get(i)))
                        .toList())
                .toList();
    }

    /**
     * Its rows as objects.
     *
     * @param form a cell in the objects
     * @return the cells of each row by the names of their columns
     */
    public List<Map<String, Object>> objects(BiFunction<Column, Object, Object> form) {
        return rows.stream()
                .map(row -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        Column column = columns.get(i);
                        object.put(column.name(), form.apply(column, row.get(i)));
                    }
                    return object;
                })
                .toList();
    }

    /**
     * Whether it has no rows.
     *
     * @return {@code true} without rows
     */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * Finds a table by its name.
     *
     * @param tables some tables
     * @param name the name of one of them
     * @return the first one with this name
     */
    public static Table named(List<Table> tables, String name) {
        return tables.stream()
                .filter(table -> table.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * This table without a column.
     *
     * @param column its name
     * @return a copy
     */
    public Table without(String column) {
        return with(columns.stream()
                .map(Column::name)
                .filter(of -> !of.equals(column))
                .toList());
    }

    /**
     * This table with some of its columns.
     *
     * @param some their names, in the order to have
     * @return a copy
     */
    public Table with(List<String> some) {
        int[] kept = some.stream().mapToInt(this::index).toArray();
        return new Table(
                name,
                IntStream.of(kept).mapToObj(columns::get).toList(),
                rows.stream()
                        .map(row ->
                                IntStream.of(kept).<Object>mapToObj(row::get).toList())
                        .toList());
    }

    /**
     * This table without columns in which nothing is, such as slip in a closed model.
     *
     * @return a copy
     */
    public Table used() {
        return with(columns.stream()
                .map(Column::name)
                .filter(column -> rows.stream().anyMatch(row -> isSomething(row.get(index(column)))))
                .toList());
    }

    private static boolean isSomething(Object cell) {
        return cell instanceof Double number ? number != 0 : cell != null;
    }

    /**
     * Whether rows differ in a column.
     *
     * @param column its name
     * @return {@code false} if all have the same there, and without rows
     */
    public boolean differs(String column) {
        int at = index(column);
        return rows.stream().map(row -> row.get(at)).distinct().count() > 1;
    }

    /**
     * This table with other words above its columns.
     *
     * @param words of the run
     * @return a copy, whose columns have the names they had
     */
    public Table in(Wording words) {
        return new Table(
                name,
                columns.stream()
                        .map(of -> new Column(
                                of.name(), words.heading(of.title()), words.heading(of.unit()), of.decimals()))
                        .toList(),
                rows);
    }

    /**
     * The rows of this table with some values.
     *
     * @param column a column's name
     * @param values those of the rows to keep
     * @return a copy
     */
    public Table where(String column, Predicate<Object> values) {
        int at = index(column);
        return new Table(
                name,
                columns,
                rows.stream().filter(row -> values.test(row.get(at))).toList());
    }

    /**
     * One of its cells.
     *
     * @param row its index
     * @param column its column's name
     * @return may be {@code null}
     */
    public Object cell(int row, String column) {
        return rows.get(row).get(index(column));
    }

    /**
     * The heading of a column, without its unit.
     *
     * @param column its name
     * @return in the run's words
     */
    public String title(String column) {
        return columns.get(index(column)).title();
    }

    private int index(String column) {
        return columns.stream().map(Column::name).toList().indexOf(column);
    }

    /**
     * The rows as data for Vega-Lite: an array of objects.
     *
     * @return JSON on one line without any {@code <}, so that a page can contain it
     */
    public String json() {
        return escaped(MAPPER.writeValueAsString(objects((column, cell) -> value(cell))));
    }

    /**
     * Several tables as Vega-Lite's {@code datasets}: an object with an array of objects for each.
     *
     * @param tables with different names
     * @return JSON as that of {@link #json()}
     */
    public static String json(List<Table> tables) {
        Map<String, Object> datasets = new LinkedHashMap<>();
        tables.forEach(table -> datasets.put(table.name(), table.objects((column, cell) -> value(cell))));
        return escaped(MAPPER.writeValueAsString(datasets));
    }

    /**
     * Several tables for a page: of each its columns as name, heading and the different texts of a column of texts,
     * then its rows as arrays, in which a text is its place among those. That is a fourth as long as objects.
     *
     * @param tables with different names
     * @return JSON as that of {@link #json()}
     */
    public static String compact(List<Table> tables) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (Table table : tables) {
            all.put(table.name(), table.compact());
        }
        return escaped(MAPPER.writeValueAsString(all));
    }

    private List<Object> compact() {
        List<Map<String, Integer>> texts = new ArrayList<>();
        columns.forEach(column -> texts.add(new LinkedHashMap<>()));
        List<Object> lines = new ArrayList<>();
        for (List<Object> row : rows) {
            List<Object> cells = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                Map<String, Integer> known = texts.get(i);
                Object value = value(row.get(i));
                cells.add(
                        columns.get(i).isText() && value != null
                                ? known.computeIfAbsent(value.toString(), text -> known.size())
                                : value);
            }
            lines.add(cells);
        }
        List<Object> heads = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            heads.add(
                    column.isText()
                            ? List.of(
                                    column.name(),
                                    column.heading(),
                                    texts.get(i).keySet())
                            : List.of(column.name(), column.heading()));
        }
        lines.add(0, heads);
        return lines;
    }

    /**
     * JSON that can stand in a page.
     *
     * @param json any JSON; the replaced characters can only occur within its texts
     * @return without any {@code <} and without line terminators of JavaScript
     */
    public static String escaped(String json) {
        return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    /** To three decimal places: milliseconds with microseconds. */
    private static Object value(Object cell) {
        if (cell instanceof Double number) {
            return Math.round(number * THOUSAND) / THOUSAND;
        }
        return cell instanceof Missing ? null : cell;
    }
}
