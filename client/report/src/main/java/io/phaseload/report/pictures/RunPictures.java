package io.phaseload.report.pictures;

import io.phaseload.report.pictures.Rows.Row;
import io.phaseload.report.tables.Table;
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
    private static final Map<String, String> LATENCIES =
            Map.of("p50_ms", "p50", "p95_ms", "p95", "p99_ms", "p99", "max_ms", "max");

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
        return Stream.of(run.throughput(), run.latency(), run.failures(), run.percentiles())
                .flatMap(List::stream)
                .toList();
    }

    private List<Picture> percentiles() {
        Rows rows =
                Rows.of(tables, "percentiles")
                        .where("kind", "response")
                        .where("operation", "(all)")
                        .where("outcome", "all");
        return percentiles("percentiles", rows, "phase");
    }

    /** Adds a curve for each combination of values in some columns. */
    static List<Picture> percentiles(String name, Rows rows, String... by) {
        LineChart chart =
                new LineChart(name, "percentile", "response time (ms)")
                        .logX(RunPictures::percentile)
                        .logY();
        int color = 0;
        for (Map.Entry<String, Rows> curve : rows.by(by).entrySet()) {
            Rows own = curve.getValue();
            chart.line(
                    curve.getKey(),
                    own.numbers("one_in"),
                    own.numbers("ms"),
                    ChartStyle.color(color++),
                    ChartStyle.SOLID);
        }
        return chart.picture(name);
    }

    /** The axis label at one in so many requests. */
    private static String percentile(double oneIn) {
        double percent = Math.round((100 - 100 / oneIn) * 1e6) / 1e6;
        return (percent == Math.rint(percent)
                        ? Long.toString(Math.round(percent))
                        : Double.toString(percent))
                + " %";
    }

    private List<Picture> latency() {
        Rows all = intervals.where("operation", "(all)");
        LineChart chart = new LineChart("latency", TIME, "response time (ms)").logY();
        double[] values =
                LATENCIES.keySet().stream()
                        .flatMapToDouble(column -> DoubleStream.of(all.numbers(column)))
                        .filter(value -> value > 0)
                        .toArray();
        if (values.length == 0) {
            return List.of();
        }
        double least = DoubleStream.of(values).min().orElseThrow();
        double most = DoubleStream.of(values).max().orElseThrow();
        chart.range(least / 1.1, most * 1.5);
        parts(chart);
        int color = 0;
        for (String column : List.of("p50_ms", "p95_ms", "p99_ms", "max_ms")) {
            course(chart, LATENCIES.get(column), all, column, ChartStyle.ofTime(color++));
        }
        return chart.picture("latency");
    }

    private List<Picture> throughput() {
        if (intervals.isEmpty()) {
            return List.of();
        }
        LineChart chart = new LineChart("throughput", TIME, "requests per second");
        ground(chart, DoubleStream.of(intervals.numbers("requests_per_second")));
        int color = 0;
        for (Map.Entry<String, Rows> operation : intervals.by("operation").entrySet()) {
            course(
                    chart,
                    operation.getKey(),
                    operation.getValue(),
                    "requests_per_second",
                    ChartStyle.color(color++));
        }
        return chart.picture("throughput");
    }

    private List<Picture> failures() {
        Rows failures = Rows.of(tables, "failures");
        if (failures.isEmpty()) {
            return List.of();
        }
        LineChart chart = new LineChart("failures", TIME, "failures per second");
        ground(chart, DoubleStream.of(failures.numbers("per_second")));
        Rows all = intervals.where("operation", "(all)");
        int color = 0;
        for (Map.Entry<String, Rows> cause : failures.by("cause").entrySet()) {
            Map<String, Rows> at = cause.getValue().by("start_s");
            Rows rates =
                    new Rows(
                            all.all().stream()
                                    .map(row -> row.with("rate", rate(at, row)))
                                    .toList());
            course(chart, cause.getKey(), rates, "rate", ChartStyle.color(color++));
        }
        return chart.picture("failures");
    }

    /** There are rows only where there were failures. */
    private static double rate(Map<String, Rows> byStart, Row interval) {
        Rows own = byStart.get(interval.text("start_s"));
        return own == null ? 0 : own.numbers("per_second")[0];
    }

    /** From zero, leaving room for the phases' names. */
    private void ground(LineChart chart, DoubleStream values) {
        double most = values.filter(Double::isFinite).max().orElse(0);
        chart.range(0, most > 0 ? 1.15 * most : 1);
        parts(chart);
    }

    private void parts(LineChart chart) {
        double[] ends = phases.numbers("end_s");
        chart.xRange(phases.numbers("start_s")[0], ends[ends.length - 1]);
        for (int i = 0; i < phases.all().size(); i++) {
            Row phase = phases.all().get(i);
            chart.part(
                    phase.text("phase"),
                    phase.number("start_s"),
                    phase.number("end_s"),
                    i % 2 == 1);
        }
    }

    /** Adds a line with gaps between phases. */
    private static void course(
            LineChart chart, String name, Rows rows, String column, Color color) {
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
        chart.line(name, array(x), array(y), color, ChartStyle.SOLID);
    }

    private static double[] array(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
