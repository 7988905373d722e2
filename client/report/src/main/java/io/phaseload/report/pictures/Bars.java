package io.phaseload.report.pictures;

import io.phaseload.report.Chart;
import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Bars beside or on each other. */
final class Bars {

    private static final int HEIGHT = 300;
    private static final int MOST_LABELS = 14;

    private final CategoryChart chart;

    private Bars(String title, String xTitle, String yTitle) {
        chart = new CategoryChartBuilder()
                .width(ChartStyle.WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        ChartStyle.apply(chart);
        chart.getStyler().setChartTitleVisible(!title.isEmpty());
        chart.getStyler().setPlotContentSize(0.95);
    }

    /**
     * Medians by step, in groups.
     *
     * @param group the column with the names of groups
     * @param colors of the groups, in order
     */
    static Panel bySteps(String title, String yTitle, Rows rows, String group, List<Color> colors) {
        Bars bars = new Bars(title, "", yTitle);
        List<String> steps = List.copyOf(rows.by("across").keySet());
        int color = 0;
        for (Map.Entry<String, Rows> one : rows.by(group).entrySet()) {
            Map<String, Rows> own = one.getValue().by("across");
            bars.add(
                    one.getKey(),
                    steps,
                    steps.stream()
                            .map(step -> own.containsKey(step) ? own.get(step).numbers("median")[0] : 0)
                            .toList(),
                    colors.get(color++ % colors.size()));
        }
        return ChartStyle.arranged(bars.chart);
    }

    private void add(String name, List<String> steps, List<Double> values, Color color) {
        chart.addSeries("series " + chart.getSeriesCollection().size(), steps, values)
                .setFillColor(color)
                .setLabel(name);
    }

    /** How many of the measured requests took how long: successes, and failures on them. */
    static List<Panel> distribution(List<Table> tables) {
        Rows response =
                Rows.of(tables, "distribution").where("operation", "(all)").where("times", "response");
        if (response.isEmpty()) {
            return List.of();
        }
        Map<String, Rows> phases = response.by("phase");
        String phase = phases.keySet().iterator().next();
        Rows cells = phases.get(phase);
        double first = DoubleStream.of(cells.numbers("low_ms")).min().orElseThrow();
        double last = DoubleStream.of(cells.numbers("high_ms")).max().orElseThrow();
        double step = Math.log10(cells.numbers("high_ms")[0] / cells.numbers("low_ms")[0]);
        int count = (int) Math.round(Math.log10(last / first) / step);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(Significant.text(first * Math.pow(10, i * step)));
        }
        Bars bars = new Bars("", "time (ms), at least", "requests (%) of " + phase);
        bars.chart.getStyler().setStacked(true).setXAxisMaxLabelCount(MOST_LABELS);
        List<Color> colors = ChartStyle.colors(Chart.of("distribution"));
        int color = 0;
        for (String outcome : List.of("succeeded", "failed")) {
            double[] percents = new double[count];
            for (Rows.Row row : cells.where("outcome", outcome).all()) {
                long cell = Math.round(Math.log10(row.number("low_ms") / first) / step);
                percents[(int) cell] = row.number("percent");
            }
            bars.add(outcome, steps, DoubleStream.of(percents).boxed().toList(), colors.get(color++));
        }
        return List.of(ChartStyle.arranged(bars.chart));
    }
}
