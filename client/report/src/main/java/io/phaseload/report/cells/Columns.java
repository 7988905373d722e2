package io.phaseload.report.cells;

import io.phaseload.result.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table, each with the way to its cells. A cell that is an empty {@code Optional} has nothing in it.
 * Not thread-safe.
 *
 * @param <R> the subject of a row
 */
public final class Columns<R> {

    private final List<Column> columns = new ArrayList<>();
    private final List<Function<? super R, ?>> cells = new ArrayList<>();

    /** Adds a column. */
    public Columns<R> add(Column column, Function<? super R, ?> cell) {
        columns.add(column);
        cells.add(cell);
        return this;
    }

    /** Adds a column of texts, see {@link Column#text}. */
    public Columns<R> text(String name, Function<? super R, ?> cell) {
        return add(Column.text(name), cell);
    }

    /** Adds a column of whole numbers, see {@link Column#count}. */
    public Columns<R> count(String name, Function<? super R, ?> cell) {
        return add(Column.count(name), cell);
    }

    /** Adds a column of numbers, see {@link Column#of}. */
    public Columns<R> number(String name, String title, String unit, Function<? super R, ?> cell) {
        return add(Column.of(name, title, unit), cell);
    }

    /** Adds mean, percentiles and maximum of times. */
    public Columns<R> times(Function<? super R, Latency> times) {
        return number("mean_ms", "mean", "ms", of -> Millis.cell(times.apply(of).mean()))
                .number("p50_ms", "p50", "ms", of -> Millis.cell(times.apply(of).p50()))
                .number("p95_ms", "p95", "ms", of -> Millis.cell(times.apply(of).p95()))
                .number("p99_ms", "p99", "ms", of -> Millis.cell(times.apply(of).p99()))
                .number("max_ms", "max", "ms", of -> Millis.cell(times.apply(of).max()));
    }

    /**
     * Makes a table.
     *
     * @param name see {@link Table#name}
     * @param rows the subjects, in order
     * @return a table with these columns
     */
    public Table table(String name, Stream<? extends R> rows) {
        Table.Builder table = new Table.Builder(name, columns);
        rows.forEach(of -> table.row(cells.stream().map(cell -> cell.apply(of)).toArray()));
        return table.build();
    }
}
