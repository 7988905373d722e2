package io.phaseload.report.pictures;

import io.phaseload.report.tables.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pictures of a comparison: its sides above each other. */
final class ComparisonPictures {

    private final List<Table> tables;

    private ComparisonPictures(List<Table> tables) {
        this.tables = tables;
    }

    static List<Picture> of(List<Table> tables) {
        ComparisonPictures comparison = new ComparisonPictures(tables);
        return Stream.of(
                        comparison.percentiles(),
                        comparison.course("compared-latency", "p50_ms", "median (ms)"),
                        comparison.course(
                                "compared-throughput",
                                "requests_per_second",
                                "requests per second"))
                .flatMap(List::stream)
                .toList();
    }

    private List<Picture> percentiles() {
        return RunPictures.percentiles(
                "compared-percentiles", Rows.of(tables, "curves"), "side", "phase");
    }

    private List<Picture> course(String name, String column, String yTitle) {
        Rows course = Rows.of(tables, "course");
        LineChart chart = new LineChart(name, "time since the phase's start (s)", yTitle);
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
        return chart.picture(name);
    }
}
