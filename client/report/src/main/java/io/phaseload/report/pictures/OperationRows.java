package io.phaseload.report.pictures;

import io.phaseload.report.Axis;
import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.pictures.RowPlot.Form;
import io.phaseload.report.pictures.RowPlot.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The median, p95 and p99 of each operation, a panel for each phase. */
final class OperationRows {

    /** More are easier to find in a table. */
    private static final int MOST = 12;

    private static final Map<String, Mark> MARKS = new LinkedHashMap<>();

    static {
        MARKS.put("p50", new Mark(0, ChartStyle.ofTime(0), Form.CIRCLE));
        MARKS.put("p95", new Mark(0, ChartStyle.ofTime(1), Form.DIAMOND));
        MARKS.put("p99", new Mark(0, ChartStyle.ofTime(2), Form.RIGHT));
    }

    private OperationRows() {}

    static List<Panel> of(List<Table> tables) {
        Rows operations = Rows.of(tables, "operations").where(row -> row.number("p50_ms") > 0);
        List<Panel> panels = new ArrayList<>();
        if (operations.by("operation").size() > MOST + 1) {
            return panels;
        }
        operations.by("phase").forEach((phase, rows) -> {
            RowPlot plot = new RowPlot(phase + ": response time (ms)", MARKS);
            rows.all().forEach(row -> plot.row(row(row)));
            Axis.logarithmic(times(rows)).ticks().forEach((ms, text) -> plot.tick(Math.log10(ms), text));
            panels.add(plot);
        });
        return panels;
    }

    private static DoubleStream times(Rows rows) {
        return MARKS.keySet().stream().flatMapToDouble(figure -> DoubleStream.of(rows.numbers(figure + "_ms")));
    }

    private static RowPlot.Row row(Row row) {
        List<Mark> marks = new ArrayList<>();
        MARKS.forEach((figure, mark) -> {
            double ms = row.number(figure + "_ms");
            if (ms > 0) {
                marks.add(new Mark(Math.log10(ms), mark.color(), mark.form()));
            }
        });
        return new RowPlot.Row(
                row.text("operation"),
                marks.get(0).at(),
                marks.get(marks.size() - 1).at(),
                ChartStyle.FAINT,
                marks);
    }
}
