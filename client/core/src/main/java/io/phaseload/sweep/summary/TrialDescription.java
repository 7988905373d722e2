package io.phaseload.sweep.summary;

import io.phaseload.stats.Description;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of trials by group, each in eight numbers.
 *
 * @param by the columns to group by, the operation last
 * @param rows one per group and figure; groups in the order of their first rows
 */
public record TrialDescription(List<String> by, List<Row> rows) {

    /**
     * One figure of one group.
     *
     * @param group the values of the columns to group by
     * @param figure the column of the figure
     * @param description over the group's trials
     */
    public record Row(List<String> group, String figure, Description description) {}

    /**
     * Describes the trials that were measured.
     *
     * @param trials rows of the trials
     * @param by the columns to group by
     * @param figures the columns to describe; a group without numbers in a column has no row for it
     * @return the description
     */
    public static TrialDescription of(List<TrialRow> trials, List<String> by, List<String> figures) {
        List<String> columns = new ArrayList<>(by);
        columns.remove(TrialRow.OPERATION);
        columns.add(TrialRow.OPERATION);
        Map<List<String>, List<TrialRow>> groups = trials.stream()
                .filter(TrialRow::isOk)
                .collect(Collectors.groupingBy(
                        row -> columns.stream().map(row::text).toList(), LinkedHashMap::new, Collectors.toList()));
        List<Row> rows = new ArrayList<>();
        groups.forEach((group, own) -> {
            for (String figure : figures) {
                double[] values = SweepSummary.values(own, figure);
                if (values.length > 0) {
                    rows.add(new Row(group, figure, Description.of(values)));
                }
            }
        });
        return new TrialDescription(columns, rows);
    }

    /**
     * The figures that are described by default.
     *
     * @param trials the measurement
     * @return throughput, failures, times, and the metrics' means
     */
    public static List<String> usualFigures(TrialTable trials) {
        List<String> figures = new ArrayList<>(SweepSummary.FIGURES);
        figures.addAll(trials.metrics());
        return figures;
    }
}
