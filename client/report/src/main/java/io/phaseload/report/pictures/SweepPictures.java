package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pictures of a sweep. */
final class SweepPictures {

    /** The end of a name if only the load varies. */
    private static final String ALL = " · (all)";

    /** The figures of every sweep; others are metrics. */
    private static final Set<String> FIGURES =
            Set.of("throughput", "failed", "mean", "p50", "p95", "p99", "max", "server CPU");

    private static final List<String> TIMES = List.of("p50", "p95", "p99", "mean");
    private static final List<String> PERCENTILES = List.of("p50", "p95", "p99", "max");
    private static final List<String> PERCENTS = List.of("failed", "server CPU");
    private static final double MANY_TIMES = 30;
    private static final int PANEL = 150;

    /** The part of a step that has bars. */
    private static final double FILLED = 0.8;

    private final List<Table> tables;
    private final Theme theme;
    private final Rows steps;
    private final Rows throughput;

    private SweepPictures(List<Table> tables, Theme theme) {
        this.theme = theme;
        this.tables = tables;
        this.steps = Rows.of(tables, "steps").where(row -> Double.isFinite(row.number("median")));
        this.throughput = steps.where("operation", "(all)").where("figure", "throughput");
    }

    static List<Picture> of(List<Table> tables, Theme theme) {
        SweepPictures sweep = new SweepPictures(tables, theme);
        List<Picture> pictures = new ArrayList<>(sweep.metrics());
        pictures.addAll(List.of(
                Picture.of("scaling", sweep::throughput),
                Picture.of("scaling-latency", () -> sweep.panels(TIMES, true)),
                Picture.of("scaling-failures", () -> sweep.panels(PERCENTS, false)),
                Picture.of("groups", sweep::groups),
                Picture.of("bars", sweep::times),
                Picture.of("heatmap", sweep::heatMap),
                new Picture("trials", () -> Chart.title("boxes"), sweep::trials)));
        return pictures;
    }

    private List<Panel> throughput() {
        if (!isCurve(throughput, "load")) {
            return List.of();
        }
        Plot chart = overLoad("", "requests per second", throughput, false, Plot.HEIGHT);
        Map<String, Rows> laws = Rows.of(tables, "usl").by("group");
        throughput.each("group", (color, group, rows) -> {
            curve(chart, group, rows, color);
            Rows law = laws.get(group);
            if (law != null) {
                String name = "fitted law" + (group.equals("(all)") ? "" : ", " + group);
                chart.line(name, law, "threads", "requests_per_second", theme.color(color), Svg.DASHED);
            }
        });
        return chart.panel();
    }

    /** Below each other, a figure each. */
    private List<Panel> panels(List<String> figures, boolean times) {
        List<Plot> panels = new ArrayList<>();
        for (String figure : figures) {
            Rows rows = steps.where("figure", figure)
                    .where(row -> !times || !row.text("operation").equals("(all)"));
            if (!isCurve(rows, "load")) {
                continue;
            }
            String unit = rows.all().get(0).text("unit");
            boolean logarithmic = times && spans(rows.stream("median").summaryStatistics(), MANY_TIMES);
            Plot chart = overLoad(figure + " (" + unit + ")", "", rows, logarithmic, PANEL);
            rows.each("series", (color, name, own) -> curve(chart, name, own, color));
            panels.add(chart);
        }
        return Plot.stacked(panels);
    }

    private Plot overLoad(String title, String yTitle, Rows rows, boolean logarithmic, int height) {
        DoubleStream shown = rows.stream("median", "high");
        return new Plot(
                title,
                yTitle,
                Axis.steps(steps.all().get(0).text("swept"), steps.numbers("load")),
                logarithmic ? Axis.logarithmic(shown) : Axis.fromZero(shown),
                height);
    }

    private static boolean spans(DoubleSummaryStatistics values, double factor) {
        return values.getMin() > 0 && values.getMax() >= factor * values.getMin();
    }

    /** Medians of the trials with their intervals; steps that aren't to be trusted are marked. */
    private void curve(Plot chart, String name, Rows rows, int color) {
        double[] load = rows.numbers("load");
        chart.band(load, rows.numbers("low"), rows.numbers("high"), theme.color(color));
        chart.points(name.replace(ALL, ""), load, rows.numbers("median"), theme.color(color), Shape.of(color));
        for (Rows.Row row : rows.all()) {
            if (!row.text("mark").isEmpty()) {
                chart.sign(row.text("mark"), row.number("load"), row.number("median"));
            }
        }
    }

    /** Each trial is a point; a box plot would hide how few they are. */
    private List<Panel> trials() {
        Rows rows = Rows.of(tables, "trials").where("figure", "throughput");
        if (rows.by("trial").size() < 2 || !isCurve(rows, "threads")) {
            return List.of();
        }
        Plot chart = new Plot(
                "",
                "requests per second",
                Axis.steps("threads", rows.numbers("threads")),
                Axis.fromZero(rows.stream("value")),
                Plot.HEIGHT);
        int color = 0;
        for (Map.Entry<String, Rows> series : rows.by("operation", "group").entrySet()) {
            Rows own = series.getValue();
            chart.dots(
                    series.getKey().replace(ALL, ""),
                    own.numbers("threads"),
                    own.numbers("value"),
                    theme.color(color),
                    Shape.of(color));
            color++;
        }
        return chart.panel();
    }

    private List<Panel> groups() {
        Rows rows = steps.where(SweepPictures::isOperation).where("figure", "throughput");
        return throughput.by("across").size() < 2
                ? List.of()
                : bySteps(
                        "",
                        "requests per second",
                        rows.isEmpty() ? throughput : rows,
                        rows.isEmpty() ? "down" : "series",
                        theme.colors("category"));
    }

    private static boolean isOperation(Rows.Row row) {
        return !row.text("operation").equals("(all)");
    }

    /** Percentiles side by side, a panel for each series. */
    private List<Panel> times() {
        List<Panel> panels = new ArrayList<>();
        Rows rows = steps.where(SweepPictures::isOperation).where(row -> PERCENTILES.contains(row.text("figure")));
        if (rows.by("across").size() > 1) {
            rows.by("series")
                    .forEach((series, own) -> panels.addAll(
                            bySteps(series, "response time (ms)", own, "figure", theme.colors("ordinal"))));
        }
        return panels;
    }

    /** Medians by step as bars, a colour for each name in the column {@code group}. */
    private static List<Panel> bySteps(String title, String yTitle, Rows rows, String group, List<String> colors) {
        List<String> steps = List.copyOf(rows.by("across").keySet());
        Axis y = Axis.fromZero(rows.stream("median"));
        Plot chart = new Plot(title, yTitle, Axis.names(steps), y, Plot.HEIGHT);
        double width = FILLED / rows.by(group).size();
        rows.each(group, (index, name, bars) -> {
            Map<String, Rows> own = bars.by("across");
            double[] x = new double[2 * steps.size()];
            double[] heights = new double[2 * steps.size()];
            for (int i = 0; i < steps.size(); i++) {
                x[2 * i] = i + (1 - FILLED) / 2 + width * index;
                x[2 * i + 1] = x[2 * i] + width;
                heights[2 * i + 1] =
                        own.containsKey(steps.get(i)) ? own.get(steps.get(i)).numbers("median")[0] : 0;
            }
            chart.bars(name, x, heights, colors, index);
        });
        return chart.panel();
    }

    private List<Panel> heatMap() {
        Rows rows = steps.where(SweepPictures::isOperation).where("figure", "throughput");
        List<String> across = List.copyOf(rows.by("across").keySet());
        List<String> series = List.copyOf(rows.by("series").keySet());
        if (across.size() < 2 || rows.by("down").size() < 2) {
            return List.of();
        }
        double[][] values = new double[series.size()][across.size()];
        Stream.of(values).forEach(row -> Arrays.fill(row, Double.NaN));
        for (Rows.Row row : rows.all()) {
            int line = series.indexOf(row.text("series"));
            values[line][across.indexOf(row.text("across"))] = row.number("median");
        }
        return List.of(new CellPlot("requests per second", across, series, values));
    }

    /** From the first operation that has it. */
    private List<Picture> metrics() {
        List<Picture> pictures = new ArrayList<>();
        Rows metrics = steps.where(row -> !FIGURES.contains(row.text("figure")));
        metrics.by("figure").forEach((name, rows) -> {
            Rows own = rows.by("operation").values().iterator().next();
            if (own.by("across").size() > 1) {
                pictures.add(new Picture(
                        "metric-" + name,
                        () -> name + " by step",
                        () -> bySteps("", name, own, "down", theme.colors("category"))));
            }
        });
        return pictures;
    }

    private static boolean isCurve(Rows rows, String load) {
        return rows.stream(load).filter(value -> value > 0).distinct().count() > 1;
    }
}
