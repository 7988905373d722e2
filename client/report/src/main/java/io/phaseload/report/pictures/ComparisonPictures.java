package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.ChangeAxis;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.pictures.RowPlot.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pictures of a comparison: its sides above each other. */
final class ComparisonPictures {

    private static final int PANEL = 180;

    private final List<Table> tables;
    private final Theme theme;

    /** The words for changes, with their marks. */
    private final Map<String, Mark> words = new LinkedHashMap<>();

    private ComparisonPictures(List<Table> tables, Theme theme) {
        this.theme = theme;
        List<String> colors = theme.colors("diverging");
        words.put("better", new Mark(0, colors.get(0), Shape.CIRCLE));
        words.put("same", new Mark(0, colors.get(1), Shape.CIRCLE));
        words.put("undecided", new Mark(0, colors.get(2), Shape.DIAMOND));
        words.put("worse", new Mark(0, colors.get(3), Shape.CIRCLE));
        this.tables = tables;
    }

    static List<Picture> of(List<Table> tables, Theme theme) {
        ComparisonPictures comparison = new ComparisonPictures(tables, theme);
        return List.of(
                Picture.of("changes", () -> comparison.changes(true)),
                Picture.of("changes-points", () -> comparison.changes(false)),
                Picture.of("compared-percentiles", comparison::percentiles),
                Picture.of("compared-latency", () -> comparison.course("p50_ms", "median (ms)")),
                Picture.of(
                        "compared-throughput", () -> comparison.course("requests_per_second", comparison.requests())));
    }

    /** The unit of counts per second; empty without a comparison. */
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

    private Panel plot(String title, Rows rows) {
        ChangeAxis axis = ChangeAxis.of(rows);
        List<RowPlot.Row> plotted =
                rows.all().stream().map(row -> row(row, axis)).toList();
        return new RowPlot(title, words, plotted, axis.ticks(), axis.same());
    }

    private static String signed(Row row, String column) {
        double number = row.number(column);
        return (number > 0 ? "+" : number < 0 ? "−" : "") + Significant.text(Math.abs(number));
    }

    /** The way of a change; its colour says whether that is better. */
    private static Shape shape(Row row, Mark word) {
        boolean changed = row.text("word").equals("better") || row.text("word").equals("worse");
        return !changed ? word.shape() : row.number("change") > 0 ? Shape.UP : Shape.DOWN;
    }

    private RowPlot.Row row(Row row, ChangeAxis axis) {
        Mark word = words.getOrDefault(row.text("word"), words.get("undecided"));
        double low = axis.place(row, "low");
        double high = axis.place(row, "high");
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark(axis.place(row, "change"), word.color(), shape(row, word)));
        if (axis.isCut(row, "low")) {
            marks.add(new Mark(low, word.color(), Shape.LEFT));
        }
        if (axis.isCut(row, "high")) {
            marks.add(new Mark(high, word.color(), Shape.RIGHT));
        }
        return new RowPlot.Row(
                "%s · %s · %s: %s, %s %s (%s to %s)"
                        .formatted(
                                row.text("figure"),
                                row.text("phase"),
                                row.text("operation"),
                                row.text("word"),
                                signed(row, "change"),
                                axis.ratios() ? "%" : "points",
                                signed(row, "low"),
                                signed(row, "high")),
                low,
                high,
                word.color(),
                marks);
    }

    /** A panel for each phase. */
    private List<Panel> percentiles() {
        List<Plot> panels = new ArrayList<>();
        Rows.of(tables, "curves")
                .each(
                        "phase",
                        (i, phase, rows) ->
                                panels.add(bySide(DistributionPictures.curves(phase, rows), rows, "one_in", "ms")));
        return Plot.stacked(panels);
    }

    private List<Panel> course(String column, String yTitle) {
        Rows course = Rows.of(tables, "course");
        double last = course.stream("at_s").max().orElse(0);
        Axis x = Axis.time("time since the phase's start (min:s)", 0, last);
        List<Plot> panels = new ArrayList<>();
        course.by("phase").forEach((phase, rows) -> {
            Axis y = Axis.fromZero(rows.stream(column));
            panels.add(bySide(new Plot(phase, yTitle, x, y, PANEL), rows, "at_s", column));
        });
        return Plot.stacked(panels);
    }

    /** A colour and a dash each. */
    private Plot bySide(Plot chart, Rows rows, String x, String y) {
        rows.each("side", (i, side, own) -> chart.line(side, own, x, y, theme.color(i), Svg.dashes(i)));
        return chart;
    }
}
