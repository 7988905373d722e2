package io.phaseload.report.pictures;

import io.phaseload.report.tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** The pictures of a sweep. */
final class SweepPictures {

    /** The end of a name if only the load varies. */
    private static final String ALL = " · (all)";

    /** The figures of every sweep; others are metrics. */
    private static final Set<String> FIGURES =
            Set.of("throughput", "failed", "mean", "p50", "p95", "p99", "max");

    private final List<Table> tables;
    private final Rows steps;
    private final Rows throughput;

    private SweepPictures(List<Table> tables) {
        this.tables = tables;
        this.steps = Rows.of(tables, "steps").where(row -> Double.isFinite(row.number("median")));
        this.throughput = steps.where("operation", "(all)").where("figure", "throughput");
    }

    static List<Picture> of(List<Table> tables) {
        SweepPictures sweep = new SweepPictures(tables);
        return Stream.of(
                        sweep.metrics(),
                        sweep.throughput(),
                        sweep.latency(),
                        sweep.trials(),
                        sweep.groups())
                .flatMap(List::stream)
                .toList();
    }

    private List<Picture> throughput() {
        if (!isCurve(throughput, "load")) {
            return List.of();
        }
        LineChart chart =
                new LineChart("scaling", load(), "requests per second").logX(SweepPictures::count);
        Map<String, Rows> laws = Rows.of(tables, "usl").by("group");
        int color = 0;
        for (Map.Entry<String, Rows> group : throughput.by("group").entrySet()) {
            curve(chart, group.getKey(), group.getValue(), color);
            Rows law = laws.get(group.getKey());
            if (law != null) {
                chart.line(
                        "fitted law"
                                + (group.getKey().equals("(all)") ? "" : ", " + group.getKey()),
                        law.numbers("threads"),
                        law.numbers("requests_per_second"),
                        ChartStyle.color(color),
                        ChartStyle.DASHED);
            }
            color++;
        }
        return chart.picture("scaling");
    }

    private List<Picture> latency() {
        Rows rows = steps.where(row -> List.of("p50", "p99").contains(row.text("figure")));
        if (!isCurve(rows, "load")) {
            return List.of();
        }
        LineChart chart =
                new LineChart("scaling-latency", load(), "response time (ms)")
                        .logX(SweepPictures::count)
                        .logY();
        int color = 0;
        for (Map.Entry<String, Rows> line : rows.by("operation", "figure", "group").entrySet()) {
            curve(chart, line.getKey(), line.getValue(), color++);
        }
        return chart.picture("scaling-latency");
    }

    /** Medians of the trials with their intervals. */
    private static void curve(LineChart chart, String name, Rows rows, int color) {
        double[] load = rows.numbers("load");
        chart.band(load, rows.numbers("low"), rows.numbers("high"), ChartStyle.color(color));
        chart.points(name.replace(ALL, ""), load, rows.numbers("median"), ChartStyle.color(color));
    }

    /** Each trial is a point; a box plot would hide how few they are. */
    private List<Picture> trials() {
        Rows rows = Rows.of(tables, "trials").where("figure", "throughput");
        if (rows.by("trial").size() < 2 || !isCurve(rows, "threads")) {
            return List.of();
        }
        LineChart chart =
                new LineChart("boxes", "threads", "requests per second").logX(SweepPictures::count);
        int color = 0;
        for (Map.Entry<String, Rows> series : rows.by("operation", "group").entrySet()) {
            Rows own = series.getValue();
            chart.dots(
                    series.getKey().replace(ALL, ""),
                    own.numbers("threads"),
                    own.numbers("value"),
                    ChartStyle.color(color++));
        }
        return chart.picture("trials");
    }

    /** Draws bars for what doesn't depend on load. */
    private List<Picture> groups() {
        if (throughput.by("across").size() < 2 || isCurve(throughput, "load")) {
            return List.of();
        }
        return List.of(bars("groups", "Throughput by step", "requests per second", throughput));
    }

    /** From the first operation that has it. */
    private List<Picture> metrics() {
        List<Picture> pictures = new ArrayList<>();
        Rows metrics = steps.where(row -> !FIGURES.contains(row.text("figure")));
        metrics.by("figure")
                .forEach(
                        (name, rows) -> {
                            Rows own = rows.by("operation").values().iterator().next();
                            if (own.by("across").size() > 1) {
                                pictures.add(bars("metric-" + name, name + " by step", name, own));
                            }
                        });
        return pictures;
    }

    private static Picture bars(String file, String title, String axis, Rows rows) {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(ChartStyle.WIDTH)
                        .height(ChartStyle.HEIGHT)
                        .title(title)
                        .yAxisTitle(axis)
                        .build();
        ChartStyle.apply(chart);
        chart.getStyler().setPlotContentSize(0.95);
        List<String> steps = List.copyOf(rows.by("across").keySet());
        int color = 0;
        for (Map.Entry<String, Rows> group : rows.by("down").entrySet()) {
            Map<String, Rows> own = group.getValue().by("across");
            List<Double> medians =
                    steps.stream()
                            .map(step -> own.containsKey(step) ? median(own.get(step)) : 0)
                            .toList();
            chart.addSeries(ChartStyle.label(group.getKey()), steps, medians)
                    .setFillColor(ChartStyle.color(color++));
        }
        return new Picture(file, chart);
    }

    private static double median(Rows step) {
        return step.all().get(0).number("median");
    }

    private String load() {
        return steps.all().get(0).text("swept");
    }

    private static boolean isCurve(Rows rows, String load) {
        return DoubleStream.of(rows.numbers(load)).filter(value -> value > 0).distinct().count()
                > 1;
    }

    private static String count(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }
}
