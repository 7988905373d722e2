package io.phaseload.report;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.RunTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Those charts of a page that are there before a script draws them, or without any: the first things to look at. */
final class Sketches {

    private static final String ALL_OF_GROUP = " · " + RunTables.ALL;
    private static final double WIDE = 30;

    private final Chart chart;
    private final List<Table> tables;
    private final List<String> colors;

    private Sketches(Chart chart, List<Table> tables, List<String> colors) {
        this.chart = chart;
        this.tables = tables;
        this.colors = colors;
    }

    /** HTML; empty for a chart that only a script draws. */
    static String of(Chart chart, List<Table> tables, Theme theme) {
        if (chart.table().equals("changes")) {
            return ChangesSketch.html(
                    chart.title(),
                    chart.name().equals("changes") ? "%" : "points",
                    Rows.of(tables, "changes"),
                    theme.colors("diverging"));
        }
        List<String> own = chart.colors();
        String range = chart.name().equals("latency") ? "ordinal" : "category";
        Sketches sketches = new Sketches(chart, tables, own.isEmpty() ? theme.colors(range) : own);
        List<Sketch> some =
                switch (chart.name()) {
                    case "throughput" -> List.of(sketches.throughput());
                    case "latency" -> List.of(sketches.latency());
                    case "failures" -> List.of(sketches.failures());
                    case "scaling" -> sketches.byLoad(List.of("throughput"));
                    case "scaling-latency" -> sketches.byLoad(List.of("p50", "p95", "p99", "mean"));
                    case "scaling-failures" -> sketches.byLoad(List.of("failed", "server CPU"));
                    case "compared-percentiles" -> sketches.curves();
                    case "compared-latency" -> sketches.course("p50_ms", "median (ms)");
                    case "compared-throughput" -> sketches.course(
                            "requests_per_second", Table.named(tables, "course").title("requests_per_second"));
                    default -> List.of();
                };
        return some.stream().map(of -> of.html(chart.title())).collect(Collectors.joining());
    }

    private Sketch throughput() {
        Rows intervals = Rows.of(tables, "intervals");
        Rows offered = Rows.of(tables, "offered");
        Sketch sketch = overTime(
                Table.named(tables, "intervals").title("requests") + " per second",
                Axis.fromZero(DoubleStream.concat(
                        DoubleStream.of(intervals.numbers("requests_per_second")),
                        DoubleStream.of(offered.numbers("per_second")))));
        intervals.by("operation").forEach((name, rows) -> course(sketch, name, rows, "requests_per_second"));
        if (!offered.isEmpty()) {
            course(
                    sketch,
                    "offered",
                    new Rows(offered.all().stream().map(Sketches::middle).toList()),
                    "per_second");
        }
        return sketch;
    }

    private static Row middle(Row row) {
        return row.with("at_s", (row.number("start_s") + row.number("end_s")) / 2);
    }

    private Sketch latency() {
        Rows times = Rows.of(tables, "latencies");
        Sketch sketch = overTime("response time (ms)", Axis.logarithmic(DoubleStream.of(times.numbers("ms"))));
        times.by("figure").forEach((figure, rows) -> course(sketch, figure, rows, "ms"));
        return sketch;
    }

    /** There are rows only where there were failures. */
    private Sketch failures() {
        Rows failures = Rows.of(tables, "failures");
        Sketch sketch = overTime("failures per second", Axis.fromZero(DoubleStream.of(failures.numbers("per_second"))));
        Rows all = Rows.of(tables, "intervals").where("operation", RunTables.ALL);
        failures.by("cause").forEach((cause, rows) -> {
            Map<Object, Double> rates = rows.all().stream()
                    .collect(Collectors.toMap(row -> row.number("start_s"), row -> row.number("per_second")));
            course(
                    sketch,
                    cause,
                    new Rows(all.all().stream()
                            .map(row -> row.with("rate", rates.getOrDefault(row.number("start_s"), 0.0)))
                            .toList()),
                    "rate");
        });
        return sketch;
    }

    private Sketch overTime(String title, Axis y) {
        List<Row> phases = Rows.of(tables, "phases").all();
        Sketch sketch = new Sketch(
                title,
                Axis.time(
                        phases.get(0).number("start_s"),
                        phases.get(phases.size() - 1).number("end_s")),
                y);
        for (int i = 0; i < phases.size(); i++) {
            Row phase = phases.get(i);
            sketch.part(phase.text("phase"), phase.number("start_s"), phase.number("end_s"), i % 2 == 0);
        }
        return sketch;
    }

    /** A phase each. */
    private List<Sketch> curves() {
        List<Sketch> sketches = new ArrayList<>();
        Rows.of(tables, "curves").by("phase").forEach((phase, rows) -> {
            Axis x = Axis.percentiles(rows.numbers("one_in"));
            Axis y = Axis.logarithmic(DoubleStream.of(rows.numbers("ms")));
            Sketch sketch = new Sketch(phase + ": time (ms)", x, y);
            sketches.add(bySide(sketch, rows, "one_in", "ms"));
        });
        return sketches;
    }

    private List<Sketch> course(String column, String title) {
        Rows course = Rows.of(tables, "course");
        double last = DoubleStream.of(course.numbers("at_s")).max().orElse(0);
        Axis x = Axis.time("time since the phase's start (min:s)", 0, last);
        List<Sketch> sketches = new ArrayList<>();
        course.by("phase").forEach((phase, rows) -> {
            Axis y = Axis.fromZero(DoubleStream.of(rows.numbers(column)));
            Sketch sketch = new Sketch(phase + ": " + title, x, y);
            sketches.add(bySide(sketch, rows, "at_s", column));
        });
        return sketches;
    }

    private Sketch bySide(Sketch sketch, Rows rows, String x, String y) {
        rows.by("side").forEach((name, own) -> line(sketch, name, own.numbers(x), own.numbers(y)));
        return sketch;
    }

    /** A line with gaps between phases. */
    private void course(Sketch sketch, String name, Rows rows, String column) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (Rows phase : rows.by("phase").values()) {
            xs.add(0.0);
            ys.add(Double.NaN);
            Arrays.stream(phase.numbers("at_s")).forEach(xs::add);
            Arrays.stream(phase.numbers(column)).forEach(ys::add);
        }
        line(sketch, name, numbers(xs), numbers(ys));
    }

    private void line(Sketch sketch, String name, double[] xs, double[] ys) {
        sketch.line(new Sketch.Line(name, colors.get(sketch.lines() % colors.size()), xs, ys));
    }

    private static double[] numbers(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A figure each, medians with their intervals. */
    private List<Sketch> byLoad(List<String> figures) {
        Rows steps = Rows.of(tables, "steps").where(row -> Double.isFinite(row.number("median")));
        List<Sketch> sketches = new ArrayList<>();
        for (String figure : figures) {
            boolean total = figure.equals("throughput");
            Rows rows = steps.where("figure", figure)
                    .where(row -> row.text("operation").equals(RunTables.ALL) == total);
            if (!rows.isEmpty()) {
                sketches.add(byLoad(figure, rows, steps));
            }
        }
        return sketches;
    }

    private Sketch byLoad(String figure, Rows rows, Rows steps) {
        String unit = rows.all().get(0).text("unit");
        double[] medians = rows.numbers("median");
        double least = DoubleStream.of(medians).min().orElse(0);
        boolean wide =
                !unit.equals("%") && least > 0 && DoubleStream.of(medians).max().orElse(0) >= WIDE * least;
        DoubleStream shown = DoubleStream.concat(DoubleStream.of(medians), DoubleStream.of(rows.numbers("high")));
        Sketch sketch = new Sketch(
                figure + " (" + unit + ")",
                Axis.steps(steps.all().get(0).text("swept"), steps.numbers("load")),
                wide ? Axis.logarithmic(shown) : Axis.fromZero(shown));
        rows.by("series").forEach((series, own) -> {
            String color = colors.get(sketch.lines() % colors.size());
            own.all().forEach(row -> sketch.interval(color, row.number("load"), row.number("low"), row.number("high")));
            line(sketch, series.replace(ALL_OF_GROUP, ""), own.numbers("load"), own.numbers("median"));
        });
        return sketch;
    }
}
