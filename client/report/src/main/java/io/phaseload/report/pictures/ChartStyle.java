package io.phaseload.report.pictures;

import io.phaseload.report.Theme;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.internal.chartpart.AxesChart;
import org.knowm.xchart.internal.series.Series;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * The look of pictures: like the light theme of pages, in colours that colour-blind people can tell
 * apart.
 */
final class ChartStyle {

    static final int WIDTH = 900;
    static final int HEIGHT = 400;

    static final Color SHADE = new Color(0xF1F4F7);
    static final BasicStroke SOLID = stroke(2f);
    static final BasicStroke DASHED =
            new BasicStroke(
                    1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, new float[] {5, 4}, 0);

    private static final Color TEXT = new Color(0x1A1A1A);
    private static final Color FAINT = new Color(0x555555);
    private static final Color GRID = new Color(0xE3E3E3);

    private static final List<Color> COLORS = colors("category");

    /** Of p50, p95, p99 and the longest. */
    private static final List<Color> TIMES = colors("ordinal");

    /** The number that fits into a line below the picture. */
    private static final int MOST_BELOW = 4;

    private static final int MOST_CHARACTERS = 28;

    private ChartStyle() {}

    /** Shortens a name for the legend: its beginning and its end. */
    static String label(String name) {
        int half = MOST_CHARACTERS / 2;
        return name.length() <= MOST_CHARACTERS
                ? name
                : name.substring(0, half - 1) + "…" + name.substring(name.length() - half);
    }

    /** With the legend where there is room. */
    static Picture arranged(Picture picture) {
        boolean many =
                picture.chart().getSeriesCollection().stream()
                                .filter(Series::isShowInLegend)
                                .count()
                        > MOST_BELOW;
        if (many) {
            picture.chart()
                    .getStyler()
                    .setLegendPosition(LegendPosition.OutsideE)
                    .setLegendLayout(LegendLayout.Vertical);
        }
        return picture;
    }

    /** Starts over when all are used. */
    static Color color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    /** Of p50, p95, p99 and the longest time, in this order. */
    static Color ofTime(int index) {
        return TIMES.get(index);
    }

    private static List<Color> colors(String range) {
        return Theme.light(range).stream().map(Color::decode).toList();
    }

    static Color faint(Color color) {
        return new Color(color.getRed(), color.getGreen(), color.getBlue(), 50);
    }

    static void apply(AxesChart<? extends AxesChartStyler, ?> chart) {
        AxesChartStyler style = chart.getStyler();
        Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
        style.setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(TEXT)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
                .setChartTitleBoxVisible(false)
                .setChartTitlePadding(8)
                .setChartPadding(12)
                .setLegendFont(plain)
                .setLegendBorderColor(Color.WHITE)
                .setLegendBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setPlotBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setAnnotationTextFont(plain)
                .setAnnotationTextFontColor(FAINT)
                .setLocale(Locale.ROOT)
                .setMarkerSize(6)
                .setPlotContentSize(0.96);
        style.setAxisTickLabelsFont(plain)
                .setAxisTitleFont(plain)
                .setAxisTickLabelsColor(FAINT)
                .setAxisTickMarksColor(FAINT)
                .setPlotGridLinesColor(GRID)
                .setPlotGridLinesStroke(stroke(1f))
                .setPlotGridVerticalLinesVisible(false)
                .setPlotMargin(0);
    }

    private static BasicStroke stroke(float width) {
        return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    }
}
