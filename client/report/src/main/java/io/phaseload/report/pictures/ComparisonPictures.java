package io.phaseload.report.pictures;

import io.phaseload.report.Axis;
import io.phaseload.report.ChangeAxis;
import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.pictures.RowPlot.Form;
import io.phaseload.report.pictures.RowPlot.Mark;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pictures of a comparison: its sides above each other. */
final class ComparisonPictures {

    private static final int PANEL = 180;

    /** What a change is called, with its mark. */
    private static final Map<String, Mark> WORDS = new LinkedHashMap<>();

    static {
        List<Color> colors = ChartStyle.colors("diverging");
        WORDS.put("better", new Mark(0, colors.get(0), Form.DOWN));
        WORDS.put("same", new Mark(0, colors.get(1), Form.CIRCLE));
        WORDS.put("undecided", new Mark(0, colors.get(2), Form.DIAMOND));
        WORDS.put("worse", new Mark(0, colors.get(3), Form.UP));
    }

    private final List<Table> tables;

    private ComparisonPictures(List<Table> tables) {
        this.tables = tables;
    }

    static List<Picture> of(List<Table> tables) {
        ComparisonPictures comparison = new ComparisonPictures(tables);
        return Stream.of(
                        Picture.of("changes", comparison.changes(true)),
                        Picture.of("changes-points", comparison.changes(false)),
                        Picture.of("compared-percentiles", comparison.percentiles()),
                        Picture.of("compared-latency", comparison.course("p50_ms", "median (ms)")),
                        Picture.of(
                                "compared-throughput", comparison.course("requests_per_second", comparison.requests())))
                .flatMap(List::stream)
                .toList();
    }

    /** What is counted per second; without a comparison, nothing. */
    private String requests() {
        return tables.stream()
                .filter(of -> of.name().equals("course"))
                .map(of -> of.title("requests_per_second"))
                .findFirst()
                .orElse("");
    }

    /** On an axis of ratios, or in percentage points. */
    private List<Panel> changes(boolean ratios) {
        List<Panel> panels = new ArrayList<>();
        Rows.of(tables, "changes")
                .where(row -> row.text("change_unit").equals("%") == ratios)
                .where(row -> Double.isFinite(row.number("change")))
                .by("after")
                .forEach((after, rows) -> panels.add(
                        plot("change (%s) in %s".formatted(ratios ? "%" : "percentage points", after), rows)));
        return panels;
    }

    private static Panel plot(String title, Rows rows) {
        RowPlot plot = new RowPlot(title, WORDS);
        ChangeAxis axis = ChangeAxis.of(rows);
        rows.all().forEach(row -> plot.row(row(row, axis)));
        plot.shade(axis.same());
        axis.ticks().forEach(plot::tick);
        return plot;
    }

    private static RowPlot.Row row(Row row, ChangeAxis axis) {
        Mark word = WORDS.getOrDefault(row.text("word"), WORDS.get("undecided"));
        double low = axis.place(row, "low");
        double high = axis.place(row, "high");
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark(axis.place(row, "change"), word.color(), word.form()));
        if (axis.isCut(row, "low")) {
            marks.add(new Mark(low, word.color(), Form.LEFT));
        }
        if (axis.isCut(row, "high")) {
            marks.add(new Mark(high, word.color(), Form.RIGHT));
        }
        return new RowPlot.Row(
                "%s · %s · %s".formatted(row.text("figure"), row.text("phase"), row.text("operation")),
                low,
                high,
                word.color(),
                marks);
    }

    /** A panel for each phase. */
    private List<Panel> percentiles() {
        List<LineChart> panels = new ArrayList<>();
        Rows.of(tables, "curves")
                .by("phase")
                .forEach((phase, rows) -> panels.add(bySide(RunPictures.curves(phase, rows), rows, "one_in", "ms")));
        return LineChart.stacked(panels);
    }

    private List<Panel> course(String column, String yTitle) {
        Rows course = Rows.of(tables, "course");
        double last = DoubleStream.of(course.numbers("at_s")).max().orElse(0);
        Axis x = Axis.time("time since the phase's start (min:s)", 0, last);
        List<LineChart> panels = new ArrayList<>();
        course.by("phase").forEach((phase, rows) -> {
            Axis y = Axis.fromZero(DoubleStream.of(rows.numbers(column)));
            panels.add(bySide(new LineChart(phase, yTitle, x, y, PANEL), rows, "at_s", column));
        });
        return LineChart.stacked(panels);
    }

    /** A colour and a dash each. */
    private static LineChart bySide(LineChart chart, Rows rows, String x, String y) {
        int side = 0;
        for (Map.Entry<String, Rows> line : rows.by("side").entrySet()) {
            chart.line(
                    line.getKey(),
                    line.getValue().numbers(x),
                    line.getValue().numbers(y),
                    ChartStyle.color(side),
                    ChartStyle.dash(side));
            side++;
        }
        return chart;
    }
}
