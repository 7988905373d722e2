package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.pictures.RowPlot.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/** The median, p95 and p99 of each operation, a panel for each phase. */
final class OperationRows {

    /** More are easier to find in a table. */
    private static final int MOST = 12;

    private OperationRows() {}

    static List<Panel> of(List<Table> tables, Theme theme) {
        Rows operations = Rows.of(tables, "operations").where(row -> row.number("p50_ms") > 0);
        List<Panel> panels = new ArrayList<>();
        if (operations.by("operation").size() > MOST + 1) {
            return panels;
        }
        List<String> colors = theme.colors("ordinal");
        Map<String, Mark> marks = new LinkedHashMap<>();
        marks.put("p50", new Mark(0, colors.get(0), Shape.CIRCLE));
        marks.put("p95", new Mark(0, colors.get(1), Shape.DIAMOND));
        marks.put("p99", new Mark(0, colors.get(2), Shape.RIGHT));
        operations.by("phase").forEach((phase, rows) -> {
            DoubleStream times = rows.stream("p50_ms", "p95_ms", "p99_ms");
            Map<Double, String> ticks = new TreeMap<>();
            Axis.logarithmic(times).ticks().forEach((ms, text) -> ticks.put(Math.log10(ms), text));
            panels.add(new RowPlot(
                    phase + ": response time (ms)",
                    marks,
                    rows.all().stream()
                            .map(row -> row(row, marks, theme.color("axis", "labelColor")))
                            .toList(),
                    ticks,
                    0));
        });
        return panels;
    }

    private static RowPlot.Row row(Row row, Map<String, Mark> marks, String line) {
        List<Mark> own = new ArrayList<>();
        marks.forEach((figure, mark) -> {
            double ms = row.number(figure + "_ms");
            if (ms > 0) {
                own.add(new Mark(Math.log10(ms), mark.color(), mark.shape()));
            }
        });
        return new RowPlot.Row(
                row.text("operation"), own.get(0).at(), own.get(own.size() - 1).at(), line, own);
    }
}
