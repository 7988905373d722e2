package io.phaseload.report.pictures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines, bands and shades over one axis, drawn in order. Not thread-safe. */
final class LineChart {

    /** Where the names of parts are, as a fraction of the picture's height from the top. */
    private static final double LABEL = 0.04;

    private static final double LEAST = 0.001;

    /**
     * How far above its point a sign is, as a part of the highest one, and where that is a factor.
     */
    private static final double SIGN = 0.04;

    private static final double SIGN_FACTOR = 1.25;

    /** Pixels between two numbers on the axis of a low chart. */
    private static final int NARROW = 20;

    private static final Color NONE = new Color(0, 0, 0, 0);

    private final XYChart chart;
    private double least;
    private double most;
    private boolean hasLine;
    private int unnamed;

    /** A chart that fills a picture. */
    LineChart(String xTitle, String yTitle) {
        this("", xTitle, yTitle, ChartStyle.HEIGHT);
    }

    /** One of several below each other, with a title of its own. */
    LineChart(String title, String xTitle, String yTitle, int height) {
        chart =
                new XYChartBuilder()
                        .width(ChartStyle.WIDTH)
                        .height(height)
                        .title(title)
                        .xAxisTitle(xTitle)
                        .yAxisTitle(yTitle)
                        .build();
        ChartStyle.apply(chart);
        chart.getStyler().setChartTitleVisible(!title.isEmpty());
        if (height < ChartStyle.HEIGHT) {
            chart.getStyler().setYAxisTickMarkSpacingHint(NARROW);
        }
        chart.getStyler().setXAxisTickLabelsFormattingFunction(LineChart::plain);
        chart.getStyler().setYAxisTickLabelsFormattingFunction(LineChart::plain);
    }

    LineChart logX(DoubleFunction<String> label) {
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setXAxisTickLabelsFormattingFunction(label::apply);
        return this;
    }

    /**
     * A logarithmic axis has no zero; it is drawn as a thousandth, the smallest value in tables.
     */
    LineChart logY() {
        chart.getStyler().setYAxisLogarithmic(true);
        return this;
    }

    /** As short as possible: 0.5, 20, 1500. */
    static String plain(double number) {
        return number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.6f", number).replaceFirst("0+$", "");
    }

    /** Adds a line, with gaps where there is no number. */
    void line(String name, double[] x, double[] y, Color color, BasicStroke stroke) {
        add(name, x, y, color, stroke);
    }

    /** Adds a line with its points shown, if they are few. */
    void points(String name, double[] x, double[] y, Color color) {
        add(name, x, y, color, ChartStyle.SOLID).ifPresent(series -> mark(series, color));
    }

    /** Adds points without a line. */
    void dots(String name, double[] x, double[] y, Color color) {
        add(name, x, y, color, ChartStyle.SOLID)
                .ifPresent(
                        series ->
                                mark(series, color)
                                        .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter));
    }

    private static XYSeries mark(XYSeries series, Color color) {
        series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(color);
        return series;
    }

    private Optional<XYSeries> add(
            String name, double[] x, double[] y, Color color, BasicStroke stroke) {
        if (DoubleStream.of(y).noneMatch(Double::isFinite)) {
            return Optional.empty();
        }
        hasLine = true;
        double[] shown = drawable(y);
        XYSeries series = chart.addSeries(unique(name), x, shown);
        series.setLabel(name);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(color);
        series.setLineStyle(stroke);
        return Optional.of(series);
    }

    /** Adds the band between two lines. */
    void band(double[] x, double[] low, double[] high, Color color) {
        int n = x.length;
        double[] around = new double[2 * n];
        double[] edge = new double[2 * n];
        for (int i = 0; i < n; i++) {
            around[i] = x[i];
            edge[i] = low[i];
            around[2 * n - 1 - i] = x[i];
            edge[2 * n - 1 - i] = high[i];
        }
        if (n > 1 && DoubleStream.of(edge).allMatch(Double::isFinite)) {
            double[] shown = drawable(edge);
            area(around, shown, ChartStyle.faint(color));
        }
    }

    private void area(double[] x, double[] y, Color fill) {
        XYSeries area = chart.addSeries(unique("area"), x, y);
        area.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
        area.setMarker(SeriesMarkers.NONE);
        area.setFillColor(fill);
        area.setLineColor(NONE);
        area.setShowInLegend(false);
    }

    /** Sets the range, for shades that are as high as the picture. */
    void range(double low, double high) {
        least = low;
        most = high;
        chart.getStyler().setPlotContentSize(1);
        chart.getStyler().setYAxisMin(low).setYAxisMax(high);
    }

    /**
     * Adds a part of the axis, which may have a name; every other one is shaded. Call it after
     * {@link #range}.
     */
    void part(String label, double from, double to, boolean shaded) {
        if (shaded) {
            area(
                    new double[] {from, to, to, from},
                    new double[] {least, least, most, most},
                    ChartStyle.SHADE);
        }
        if (label.isEmpty()) {
            return;
        }
        double height =
                chart.getStyler().isYAxisLogarithmic()
                        ? most * Math.pow(least / most, LABEL)
                        : most + (least - most) * LABEL;
        chart.addAnnotation(new AnnotationText(label, (from + to) / 2, height, false));
    }

    void xRange(double from, double to) {
        chart.getStyler().setXAxisMin(from).setXAxisMax(to);
    }

    private double[] drawable(double[] values) {
        return chart.getStyler().isYAxisLogarithmic()
                ? DoubleStream.of(values).map(value -> Math.max(value, LEAST)).toArray()
                : values;
    }

    private String unique(String name) {
        return name + "\0" + unnamed++;
    }

    /** A sign above a point, of which the highest is so high. */
    void sign(String sign, double x, double y, double highest) {
        double above =
                chart.getStyler().isYAxisLogarithmic() ? SIGN_FACTOR * y : y + SIGN * highest;
        chart.addAnnotation(new AnnotationText(sign, x, above, false));
    }

    /** Leaves out the legend, where the title says it all. */
    LineChart withoutLegend() {
        chart.getStyler().setLegendVisible(false);
        return this;
    }

    /** None, if there are no numbers. */
    List<Panel> panel() {
        return hasLine ? List.of(ChartStyle.arranged(chart)) : List.of();
    }
}
