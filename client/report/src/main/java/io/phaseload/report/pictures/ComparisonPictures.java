package io.phaseload.report.pictures;

import io.phaseload.report.pictures.RowPlot.Mark;
import io.phaseload.report.tables.Rows;
import io.phaseload.report.tables.Rows.Row;
import io.phaseload.report.tables.Table;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pictures of a comparison: its sides above each other. */
final class ComparisonPictures {

    private static final double[] PERCENTS = {
        -99, -98, -95, -90, -80, -75, -66, -50, -40, -33, -25, -20, -15, -10, -5, -4, -3, -2, -1,
        -0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 25, 33, 50, 75, 100, 150,
        200, 300, 400, 900, 1900, 4900, 9900
    };

    /** What a change is called, with its mark. */
    private static final Map<String, Mark> WORDS = new LinkedHashMap<>();

    static {
        List<Color> colors = ChartStyle.colors("diverging");
        WORDS.put("better", new Mark(0, colors.get(0), 3));
        WORDS.put("same", new Mark(0, colors.get(1), 0));
        WORDS.put("undecided", new Mark(0, colors.get(2), 4));
        WORDS.put("worse", new Mark(0, colors.get(3), 5));
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
                                "compared-throughput",
                                comparison.course("requests_per_second", "requests per second")))
                .flatMap(List::stream)
                .toList();
    }

    /** On an axis of ratios, or in percentage points. */
    private List<Panel> changes(boolean ratios) {
        List<Panel> panels = new ArrayList<>();
        Rows.of(tables, "changes")
                .where(row -> row.text("change_unit").equals("%") == ratios)
                .where(row -> Double.isFinite(row.number("change")))
                .by("after")
                .forEach(
                        (after, rows) ->
                                panels.add(
                                        plot(
                                                "change (%s) in %s"
                                                        .formatted(
                                                                ratios ? "%" : "percentage points",
                                                                after),
                                                rows,
                                                ratios)));
        return panels;
    }

    private static Panel plot(String title, Rows rows, boolean ratios) {
        RowPlot plot = new RowPlot(title, WORDS);
        double[] reaches =
                rows.all().stream()
                        .mapToDouble(
                                row ->
                                        Math.max(
                                                Math.abs(at(row.number("low"), ratios)),
                                                Math.abs(at(row.number("high"), ratios))))
                        .sorted()
                        .toArray();
        // One hopeless interval would leave no room for the others.
        double reach =
                Math.max(
                        3 * reaches[reaches.length / 2],
                        1.25
                                * rows.all().stream()
                                        .mapToDouble(
                                                row -> Math.abs(at(row.number("change"), ratios)))
                                        .max()
                                        .orElse(0));
        for (Row row : rows.all()) {
            Mark word = WORDS.getOrDefault(row.text("word"), WORDS.get("undecided"));
            plot.row(
                    new RowPlot.Row(
                            "%s · %s · %s"
                                    .formatted(
                                            row.text("figure"),
                                            row.text("phase"),
                                            row.text("operation")),
                            Math.max(-reach, at(row.number("low"), ratios)),
                            Math.min(reach, at(row.number("high"), ratios)),
                            word.color(),
                            List.of(
                                    new Mark(
                                            at(row.number("change"), ratios),
                                            word.color(),
                                            word.corners()))));
        }
        plot.shade(at(rows.all().get(0).number("tolerance"), ratios));
        for (double percent : PERCENTS) {
            plot.tick(
                    at(percent, ratios),
                    (percent > 0 ? "+" : "") + LineChart.plain(percent) + (ratios ? " %" : ""));
        }
        return plot;
    }

    private static double at(double change, boolean ratio) {
        return ratio ? Math.log(Math.max(0.01, 1 + change / 100)) : change;
    }

    private List<Panel> percentiles() {
        LineChart chart = RunPictures.curves();
        int color = 0;
        for (Map.Entry<String, Rows> curve :
                Rows.of(tables, "curves").by("side", "phase").entrySet()) {
            double[] oneIn = curve.getValue().numbers("one_in");
            double[] ms = curve.getValue().numbers("ms");
            Color own = ChartStyle.color(color++);
            if (ms.length == 1) {
                chart.points(curve.getKey(), oneIn, ms, own);
            } else {
                chart.line(curve.getKey(), oneIn, ms, own, ChartStyle.SOLID);
            }
        }
        return chart.panel();
    }

    private List<Panel> course(String column, String yTitle) {
        Rows course = Rows.of(tables, "course");
        LineChart chart = new LineChart("time since the phase's start (s)", yTitle);
        chart.range(
                0,
                1.05
                        * DoubleStream.of(course.numbers(column))
                                .filter(Double::isFinite)
                                .max()
                                .orElse(1));
        int color = 0;
        for (Map.Entry<String, Rows> line : course.by("side", "phase").entrySet()) {
            chart.line(
                    line.getKey(),
                    line.getValue().numbers("at_s"),
                    line.getValue().numbers(column),
                    ChartStyle.color(color++),
                    ChartStyle.SOLID);
        }
        return chart.panel();
    }
}
