package io.phaseload.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A sweep with what it measured, as its folder holds it, or as it is made of several.
 *
 * @param sweep what was run
 * @param columns of the rows
 * @param rows of the trials that are over
 */
public record MeasuredSweep(Sweep sweep, List<String> columns, List<TrialRow> rows) {

    /** Keeps the lists from being changed. */
    public MeasuredSweep {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * Reads a sweep's folder.
     *
     * @param folder of the sweep
     * @return what is in it
     * @throws IOException if it isn't one, or of a version that this one doesn't read; or if its
     *     {@code trials.csv} counts other requests than its {@code sweep.json}
     */
    public static MeasuredSweep read(Path folder) throws IOException {
        Sweep sweep = SweepJson.read(folder);
        TrialTable table = TrialTable.read(folder);
        SweepJson.check(folder, sweep, table.rows());
        return new MeasuredSweep(sweep, table.columns(), table.rows());
    }

    /**
     * This sweep with one more column, which tables and charts show as a metric.
     *
     * @param derived the column
     * @return a copy
     * @throws IllegalArgumentException if the name is taken, or a column isn't there
     */
    public MeasuredSweep with(Derived derived) {
        if (columns.contains(derived.name())) {
            throw new IllegalArgumentException(
                    "expected another name: trials.csv has a column " + derived.name());
        }
        for (String column : derived.columns()) {
            if (!columns.contains(column)) {
                throw new IllegalArgumentException(
                        "%s: expected some of %s".formatted(column, String.join(",", columns)));
            }
        }
        List<TrialRow> more = new ArrayList<>();
        for (TrialRow row : rows) {
            Map<String, String> cells = new LinkedHashMap<>(row.cells());
            OptionalDouble value = derived.of(row);
            cells.put(
                    derived.name(),
                    value.isPresent()
                            ? String.format(Locale.ROOT, "%.6f", value.getAsDouble())
                            : "");
            more.add(new TrialRow(cells));
        }
        return new MeasuredSweep(
                sweep.withMetrics(plus(sweep.metrics(), derived.name())),
                plus(columns, derived.name()),
                more);
    }

    private static List<String> plus(List<String> list, String last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }
}
