package io.phaseload.report.pictures;

import io.phaseload.report.Chart;
import io.phaseload.report.tables.Rows;
import io.phaseload.report.tables.Rows.Row;
import io.phaseload.report.tables.Table;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pictures of a run. */
final class RunPictures {

    private static final String TIME = "time since the start (s)";
    private static final int PANEL = 150;

    private final List<Table> tables;
    private final Rows phases;
    private final Rows intervals;

    private RunPictures(List<Table> tables) {
        this.tables = tables;
        this.phases = Rows.of(tables, "phases");
        this.intervals = Rows.of(tables, "intervals");
    }

    static List<Picture> of(List<Table> tables) {
        RunPictures run = new RunPictures(tables);
        return Stream.of(
                        Picture.of("throughput", run.throughput()),
                        Picture.of("users", run.users()),
                        Picture.of("latency", run.latency()),
                        Picture.of("failures", run.failures()),
                        Picture.of("client", run.panels("client")),
                        Picture.of("server", run.panels("server")),
                        Picture.of("distribution", Bars.distribution(tables)),
                        Picture.of("percentiles", run.percentiles()),
                        Picture.of("operations", OperationRows.of(tables)))
                .flatMap(List::stream)
                .toList();
    }

    /** Colours are phases; dashes are service times. */
    private List<Panel> percentiles() {
        Rows rows =
                Rows.of(tables, "percentiles").where("operation", "(all)").where("outcome", "all");
        List<Color> colors = ChartStyle.colors(Chart.of("percentiles"));
        LineChart chart = curves();
        int color = 0;
        for (Map.Entry<String, Rows> phase : rows.by("phase").entrySet()) {
            Color own = colors.get(color++ % colors.size());
            for (Map.Entry<String, Rows> kind : phase.getValue().by("kind").entrySet()) {
                chart.line(
                        phase.getKey() + " · " + kind.getKey(),
                        kind.getValue().numbers("one_in"),
                        kind.getValue().numbers("ms"),
                        own,
                        kind.getKey().equals("response") ? ChartStyle.SOLID : ChartStyle.DASHED);
            }
        }
        return chart.panel();
    }

    /** An empty chart of percentile curves. */
    static LineChart curves() {
        return new LineChart("percentile", "time (ms)").logX(RunPictures::percentile).logY();
    }

    /** The axis label at one in so many requests. */
    private static String percentile(double oneIn) {
        double percent = Math.round((100 - 100 / oneIn) * 1e6) / 1e6;
        return (percent == Math.rint(percent)
                        ? Long.toString(Math.round(percent))
                        : Double.toString(percent))
                + " %";
    }

    private List<Panel> latency() {
        Rows all = Rows.of(tables, "latencies");
        double[] values = DoubleStream.of(all.numbers("ms")).filter(ms -> ms > 0).toArray();
        if (values.length == 0) {
            return List.of();
        }
        double least = DoubleStream.of(values).min().orElseThrow();
        double most = DoubleStream.of(values).max().orElseThrow();
        LineChart chart = new LineChart(TIME, "response time (ms)").logY();
        chart.range(least / 1.1, most * 1.5);
        parts(chart, true);
        int color = 0;
        for (Map.Entry<String, Rows> figure : all.by("figure").entrySet()) {
            course(
                    chart,
                    figure.getKey(),
                    figure.getValue(),
                    "ms",
                    ChartStyle.ofTime(color++),
                    ChartStyle.SOLID);
        }
        return chart.panel();
    }

    private List<Panel> throughput() {
        if (intervals.isEmpty()) {
            return List.of();
        }
        Rows offered = Rows.of(tables, "offered");
        LineChart chart = new LineChart(TIME, "requests per second");
        ground(
                chart,
                DoubleStream.concat(
                        DoubleStream.of(intervals.numbers("requests_per_second")),
                        DoubleStream.of(offered.numbers("per_second"))));
        int color = 0;
        for (Map.Entry<String, Rows> operation : intervals.by("operation").entrySet()) {
            course(
                    chart,
                    operation.getKey(),
                    operation.getValue(),
                    "requests_per_second",
                    ChartStyle.color(color++),
                    ChartStyle.SOLID);
        }
        Rows middles =
                new Rows(
                        offered.all().stream()
                                .map(
                                        row ->
                                                row.with(
                                                        "at_s",
                                                        (row.number("start_s")
                                                                        + row.number("end_s"))
                                                                / 2))
                                .toList());
        course(chart, "offered", middles, "per_second", ChartStyle.FAINT, ChartStyle.DASHED);
        return chart.panel();
    }

    /** Where those of a phase begin one after another; else the phases' names tell all. */
    private List<Panel> users() {
        Rows users = Rows.of(tables, "users");
        if (users.by("phase").values().stream().noneMatch(of -> of.by("users").size() > 1)) {
            return List.of();
        }
        LineChart chart = new LineChart(TIME, "users").withoutLegend();
        ground(chart, DoubleStream.of(users.numbers("users")));
        course(chart, "users", users, "users", ChartStyle.FAINT, ChartStyle.SOLID);
        return chart.panel();
    }

    private List<Panel> failures() {
        Rows failures = Rows.of(tables, "failures");
        if (failures.isEmpty()) {
            return List.of();
        }
        LineChart chart = new LineChart(TIME, "failures per second");
        ground(chart, DoubleStream.of(failures.numbers("per_second")));
        Rows all = intervals.where("operation", "(all)");
        List<Color> colors = ChartStyle.colors(Chart.of("failures"));
        int color = 0;
        for (Map.Entry<String, Rows> cause : failures.by("cause").entrySet()) {
            Map<String, Rows> at = cause.getValue().by("start_s");
            Rows rates =
                    new Rows(
                            all.all().stream()
                                    .map(row -> row.with("rate", rate(at, row)))
                                    .toList());
            course(
                    chart,
                    cause.getKey(),
                    rates,
                    "rate",
                    colors.get(color++ % colors.size()),
                    ChartStyle.SOLID);
        }
        return chart.panel();
    }

    /** One of each figure. */
    private List<Panel> panels(String table) {
        List<Panel> panels = new ArrayList<>();
        Rows.of(tables, table)
                .by("figure")
                .forEach(
                        (figure, rows) -> {
                            LineChart chart = new LineChart(figure, "", "", PANEL).withoutLegend();
                            ground(chart, DoubleStream.of(rows.numbers("mean")), false);
                            course(
                                    chart,
                                    figure,
                                    rows,
                                    "mean",
                                    ChartStyle.color(0),
                                    ChartStyle.SOLID);
                            panels.addAll(chart.panel());
                        });
        return panels;
    }

    /** There are rows only where there were failures. */
    private static double rate(Map<String, Rows> byStart, Row interval) {
        Rows own = byStart.get(interval.text("start_s"));
        return own == null ? 0 : own.numbers("per_second")[0];
    }

    /** From zero, leaving room for the phases' names. */
    private void ground(LineChart chart, DoubleStream values) {
        ground(chart, values, true);
    }

    private void ground(LineChart chart, DoubleStream values, boolean named) {
        double most = values.filter(Double::isFinite).max().orElse(0);
        chart.range(0, most > 0 ? 1.15 * most : 1);
        parts(chart, named);
    }

    private void parts(LineChart chart, boolean named) {
        double[] ends = phases.numbers("end_s");
        chart.xRange(phases.numbers("start_s")[0], ends[ends.length - 1]);
        for (int i = 0; i < phases.all().size(); i++) {
            Row phase = phases.all().get(i);
            chart.part(
                    named ? phase.text("phase") : "",
                    phase.number("start_s"),
                    phase.number("end_s"),
                    i % 2 == 0);
        }
    }

    /** Adds a line with gaps between phases. */
    private static void course(
            LineChart chart,
            String name,
            Rows rows,
            String column,
            Color color,
            BasicStroke stroke) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (Rows phase : rows.by("phase").values()) {
            if (!x.isEmpty()) {
                x.add(x.get(x.size() - 1));
                y.add(Double.NaN);
            }
            Arrays.stream(phase.numbers("at_s")).forEach(x::add);
            Arrays.stream(phase.numbers(column)).forEach(y::add);
        }
        chart.line(name, array(x), array(y), color, stroke);
    }

    private static double[] array(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
