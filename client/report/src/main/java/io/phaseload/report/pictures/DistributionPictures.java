package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The pictures of how a run's times are distributed. */
record DistributionPictures(List<Table> tables, Theme theme) {

    private static final int GREYS = 2;

    /** The percentages of the measured requests by their times: failures on successes. */
    List<Panel> distribution() {
        Rows response =
                Rows.of(tables, "distribution").where("operation", "(all)").where("times", "response");
        if (response.isEmpty()) {
            return List.of();
        }
        Map.Entry<String, Rows> phase =
                response.by("phase").entrySet().iterator().next();
        Rows cells = phase.getValue();
        Map<String, Double> heights = new HashMap<>();
        cells.all().forEach(row -> heights.merge(row.text("low_ms"), row.number("percent"), Double::sum));
        Plot chart = new Plot(
                "",
                "requests (%) of " + phase.getKey(),
                Axis.logarithmic(cells.stream("low_ms", "high_ms")).titled("time (ms)"),
                Axis.fromZero(heights.values().stream().mapToDouble(Double::doubleValue)),
                Plot.HEIGHT);
        List<String> colors = theme.colors(Chart.of("distribution"));
        Map<String, Double> below = new HashMap<>();
        int color = 0;
        for (String outcome : List.of("succeeded", "failed")) {
            DoubleStream.Builder x = DoubleStream.builder();
            DoubleStream.Builder y = DoubleStream.builder();
            for (Row row : cells.where("outcome", outcome).all()) {
                double from = below.getOrDefault(row.text("low_ms"), 0.0);
                below.merge(row.text("low_ms"), row.number("percent"), Double::sum);
                x.add(row.number("low_ms")).add(row.number("high_ms"));
                y.add(from).add(from + row.number("percent"));
            }
            chart.bars(outcome, x.build().toArray(), y.build().toArray(), colors.get(color++));
        }
        return chart.panel();
    }

    /** Colours are phases; dashes are service times. */
    List<Panel> percentiles() {
        Rows rows = Rows.of(tables, "percentiles").where("operation", "(all)").where("outcome", "all");
        if (rows.isEmpty()) {
            return List.of();
        }
        Plot chart = curves("", rows);
        rows.each("phase", (i, phase, own) -> {
            String color = color(phase);
            own.each("kind", (j, kind, times) -> {
                String dashes = kind.equals("response") ? Svg.PLAIN : Svg.DASHED;
                chart.line(phase + " · " + kind, times, "one_in", "ms", color, dashes);
            });
        });
        return chart.panel();
    }

    /** Measured phases have the first colours of the chart, the others its last two, which are grey. */
    private String color(String name) {
        List<String> colors = theme.colors(Chart.of("percentiles"));
        Rows phases = Rows.of(tables, "phases");
        Row phase = phases.where("phase", name).all().get(0);
        boolean measured = phase.number("measured") > 0;
        List<String> own = measured
                ? colors.subList(0, colors.size() - GREYS)
                : colors.subList(colors.size() - GREYS, colors.size());
        int index = phases.where("measured", phase.text("measured")).all().indexOf(phase);
        return own.get(index % own.size());
    }

    /** An empty chart of these percentile curves. */
    static Plot curves(String title, Rows rows) {
        return new Plot(
                title,
                "time (ms)",
                Axis.percentiles(rows.numbers("one_in")),
                Axis.logarithmic(rows.stream("ms")),
                Plot.HEIGHT);
    }
}
