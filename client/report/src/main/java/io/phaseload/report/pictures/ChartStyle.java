package io.phaseload.report.pictures;

import io.phaseload.report.Chart;
import io.phaseload.report.Theme;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.internal.chartpart.AxesChart;
import org.knowm.xchart.internal.series.Series;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The look of pictures: like the light theme of pages, in colours that colour-blind people can tell apart. */
final class ChartStyle {

    static final int WIDTH = 900;
    static final int HEIGHT = 260;

    static final Color SHADE = new Color(0xF1F4F7);
    static final BasicStroke SOLID = stroke(2f);
    static final BasicStroke DASHED = dashed(4, 4);

    /** Of p50, p95, p99 and the longest time, and of the sides of a comparison. */
    private static final List<BasicStroke> DASHES = List.of(SOLID, dashed(8, 3), dashed(4, 3), dashed(1, 4));

    static final Color TEXT = new Color(0x1A1A1A);
    static final Color FAINT = new Color(0x555555);
    static final Color GRID = new Color(0xE3E3E3);

    private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 15);
    private static final FontRenderContext METRICS = new FontRenderContext(null, true, true);
    private static final int LINE = 20;

    private static final List<Color> COLORS = colors("category");

    /** Of p50, p95, p99 and the longest. */
    private static final List<Color> TIMES = colors("ordinal");

    /** Viridis, from least to most. */
    static final Color[] RAMP = {
        new Color(0x440154),
        new Color(0x414487),
        new Color(0x2A788E),
        new Color(0x22A884),
        new Color(0x7AD151),
        new Color(0xFDE725)
    };

    /** The number that fits into a line below the picture. */
    private static final int MOST_BELOW = 4;

    private static final int MOST_CHARACTERS = 28;

    private ChartStyle() {}

    /** With the legend where there is room; a long name has a line of its own. */
    static Panel arranged(AxesChart<? extends AxesChartStyler, ?> chart) {
        List<Series> named = chart.getSeriesCollection().stream()
                .map(Series.class::cast)
                .filter(Series::isShowInLegend)
                .toList();
        int height = chart.getHeight();
        if (named.stream().anyMatch(of -> of.getLabel().length() > MOST_CHARACTERS)) {
            chart.getStyler().setLegendLayout(LegendLayout.Vertical);
            height += LINE * named.size();
        } else if (named.size() > MOST_BELOW) {
            chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setLegendLayout(LegendLayout.Vertical);
        }
        return Panel.of(chart, height);
    }

    /** Draws text as outlines, its baseline at y. */
    static void text(Graphics2D graphics, String text, double x, double y, Color color) {
        draw(graphics, text, PLAIN, x, y, color);
    }

    /** As {@link #text}, bold. */
    static void heading(Graphics2D graphics, String text, double x, double y) {
        draw(graphics, text, BOLD, x, y, TEXT);
    }

    private static void draw(Graphics2D graphics, String text, Font font, double x, double y, Color color) {
        if (!text.isEmpty()) {
            graphics.setColor(color);
            graphics.fill(new TextLayout(text, font, METRICS).getOutline(AffineTransform.getTranslateInstance(x, y)));
        }
    }

    /** A text without its middle, where it is wider than this: names differ at their ends. */
    static String fitted(String text, double width) {
        String fitted = text;
        for (int kept = text.length() - 1; kept > 2 && width(fitted) > width; kept--) {
            fitted = text.substring(0, kept / 2) + "…" + text.substring(text.length() - kept / 2);
        }
        return fitted;
    }

    /** How wide a text is. */
    static double width(String text) {
        return text.isEmpty() ? 0 : new TextLayout(text, PLAIN, METRICS).getAdvance();
    }

    /** In the order in which {@link #color} gives them. */
    static List<Color> colors() {
        return COLORS;
    }

    /** The colours of a chart's file, or of the theme. */
    static List<Color> colors(Chart chart) {
        List<String> own = chart.colors();
        return own.isEmpty() ? COLORS : own.stream().map(Color::decode).toList();
    }

    /** Starts over when all are used. */
    static Color color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    /** Of p50, p95, p99 and the longest time, in this order. */
    static Color ofTime(int index) {
        return TIMES.get(index);
    }

    /** Lines are told apart by more than colours; starts over when all are used. */
    static BasicStroke dash(int index) {
        return DASHES.get(index % DASHES.size());
    }

    /** Of a range of the light theme. */
    static List<Color> colors(String range) {
        return Theme.light(range).stream().map(Color::decode).toList();
    }

    static Color faint(Color color) {
        return new Color(color.getRed(), color.getGreen(), color.getBlue(), 50);
    }

    static void apply(AxesChart<? extends AxesChartStyler, ?> chart) {
        AxesChartStyler style = chart.getStyler();
        style.setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(TEXT)
                .setChartTitleFont(PLAIN)
                .setChartTitleBoxVisible(false)
                .setChartTitlePadding(8)
                .setChartPadding(12)
                .setLegendFont(PLAIN)
                .setLegendBorderColor(Color.WHITE)
                .setLegendBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setPlotBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setAnnotationTextFont(PLAIN)
                .setAnnotationTextFontColor(FAINT)
                .setLocale(Locale.ROOT)
                .setMarkerSize(6)
                .setPlotContentSize(0.96);
        style.setAxisTickLabelsFont(PLAIN)
                .setAxisTitleFont(PLAIN)
                .setAxisTickLabelsColor(FAINT)
                .setAxisTickMarksColor(FAINT)
                .setPlotGridLinesColor(GRID)
                .setPlotGridLinesStroke(stroke(1f))
                .setPlotGridVerticalLinesVisible(false)
                .setPlotMargin(0);
    }

    private static BasicStroke dashed(float on, float off) {
        return new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 10, new float[] {on, off}, 0);
    }

    private static BasicStroke stroke(float width) {
        return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    }
}
