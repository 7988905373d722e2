package io.phaseload.sweep.trials;

import io.phaseload.options.ValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of trials: a row for each operation of each finished trial.
 *
 * @param columns names of the cells, in order
 * @param metrics the columns of metrics and derived figures
 * @param rows in the order in which trials were run
 */
public record TrialTable(List<String> columns, List<String> metrics, List<TrialRow> rows) {

    /** Keeps the lists from being changed. */
    public TrialTable {
        columns = List.copyOf(columns);
        metrics = List.copyOf(metrics);
        rows = List.copyOf(rows);
    }

    /**
     * Makes a table, and finds its metrics by the names of its columns.
     *
     * @param columns names of the cells, in order
     * @param rows in the order in which trials were run
     * @return the table
     */
    public static TrialTable of(List<String> columns, List<TrialRow> rows) {
        return new TrialTable(columns, metricsOf(columns), rows);
    }

    /** The columns that are metrics. */
    private static List<String> metricsOf(List<String> columns) {
        return columns.stream()
                .filter(name -> columns.containsAll(columnsOf(name)))
                .toList();
    }

    /**
     * The columns of a metric.
     *
     * @param metric its name
     * @return the columns of its mean, its minimum, its maximum and its count
     */
    public static List<String> columnsOf(String metric) {
        return List.of(metric, metric + "_min", metric + "_max", metric + "_count");
    }

    /**
     * This table with the rows of one more trial.
     *
     * @param trial one per operation
     * @return a copy
     */
    public TrialTable plus(List<TrialRow> trial) {
        return new TrialTable(columns, metrics, concat(rows, trial));
    }

    /**
     * This table with one more column, which tables and charts show as a metric.
     *
     * @param derived the column
     * @return a copy
     * @throws IllegalArgumentException if the name is taken, or a column isn't there
     */
    public TrialTable plus(Derived derived) {
        if (columns.contains(derived.name())) {
            throw new ValueException("another name: trials.csv already has a column " + derived.name());
        }
        for (String column : derived.columns()) {
            if (!columns.contains(column)) {
                throw new ValueException(column, "some of " + String.join(",", columns));
            }
        }
        List<TrialRow> more = new ArrayList<>();
        for (TrialRow row : rows) {
            Map<String, String> cells = new LinkedHashMap<>(row.cells());
            OptionalDouble value = derived.of(row);
            cells.put(derived.name(), value.isPresent() ? String.format(Locale.ROOT, "%.6f", value.getAsDouble()) : "");
            more.add(new TrialRow(cells));
        }
        List<String> name = List.of(derived.name());
        return new TrialTable(concat(columns, name), concat(metrics, name), more);
    }

    /**
     * This table without incomplete trials, which a killed sweep may have left.
     *
     * @param operations the number of rows that a trial has
     * @return a copy
     */
    public TrialTable wholeTrials(int operations) {
        Map<List<Integer>, Long> counts = operations();
        return new TrialTable(
                columns,
                metrics,
                rows.stream()
                        .filter(row -> counts.getOrDefault(List.of(row.step(), row.trial()), 0L) == operations)
                        .toList());
    }

    /**
     * Counts the operations of each trial.
     *
     * @return the rows by their step and trial
     */
    public Map<List<Integer>, Long> operations() {
        return rows.stream()
                .collect(Collectors.groupingBy(row -> List.of(row.step(), row.trial()), Collectors.counting()));
    }

    /**
     * Whether a trial is among the rows.
     *
     * @param trial the trial
     * @return {@code true} if it is finished, failed or not
     */
    public boolean has(Trial trial) {
        return rows.stream().anyMatch(row -> row.isOf(trial));
    }

    private static <T> List<T> concat(List<T> list, List<T> more) {
        return Stream.concat(list.stream(), more.stream()).toList();
    }
}
