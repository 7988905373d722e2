package io.phaseload.report.pictures;

import io.phaseload.report.cells.Significant;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Cells of a table, the lighter the greater: XChart leaves out names for which it finds no room. An unknown value is an
 * empty cell.
 *
 * @param title what the values are
 * @param columns names from left to right
 * @param rows names from top to bottom
 * @param values by row, then column; NaN if unknown
 */
record CellPlot(String title, List<String> columns, List<String> rows, double[][] values) implements Panel {

    private static final int ROW = 28;
    private static final int LINE = 20;
    private static final int GAP = 12;
    private static final int KEY = 160;

    /** As much of the width as names have. */
    private static final double NAMES = 0.4 * ChartStyle.WIDTH;

    @Override
    public int height() {
        return 3 * LINE + GAP + ROW * rows.size() + LINE;
    }

    @Override
    public void paint(Graphics2D graphics) {
        double least = numbers().min().orElse(0);
        double most = numbers().max().orElse(0);
        key(graphics, least, most);
        double left = 2 * GAP + names();
        double width = (ChartStyle.WIDTH - left - GAP) / columns.size();
        int top = 2 * LINE;
        for (int row = 0; row < rows.size(); row++) {
            String name = ChartStyle.fitted(rows.get(row), NAMES);
            double start = left - GAP - ChartStyle.width(name);
            double baseline = top + ROW * (row + 0.5) + 4;
            ChartStyle.text(graphics, name, start, baseline, ChartStyle.TEXT);
            for (int column = 0; column < columns.size(); column++) {
                double value = values[row][column];
                if (Double.isFinite(value)) {
                    graphics.setColor(color(most == least ? 1 : (value - least) / (most - least)));
                    graphics.fill(new Rectangle2D.Double(left + width * column, top + ROW * row, width - 1, ROW - 1));
                }
            }
        }
        double free = Double.NEGATIVE_INFINITY;
        for (int column = 0; column < columns.size(); column++) {
            String name = ChartStyle.fitted(columns.get(column), Math.max(width, KEY));
            double start = left + width * (column + 0.5) - ChartStyle.width(name) / 2;
            if (start > free) {
                double baseline = top + ROW * rows.size() + LINE - 4.0;
                ChartStyle.text(graphics, name, start, baseline, ChartStyle.FAINT);
                free = start + ChartStyle.width(name) + GAP / 2.0;
            }
        }
    }

    private DoubleStream numbers() {
        return Stream.of(values).flatMapToDouble(DoubleStream::of).filter(Double::isFinite);
    }

    private double names() {
        return rows.stream()
                .map(name -> ChartStyle.fitted(name, NAMES))
                .mapToDouble(ChartStyle::width)
                .max()
                .orElse(0);
    }

    private void key(Graphics2D graphics, double least, double most) {
        String from = title + ": " + Significant.text(least);
        ChartStyle.text(graphics, from, GAP, LINE - 6.0, ChartStyle.TEXT);
        double left = 2 * GAP + ChartStyle.width(from);
        for (int i = 0; i < KEY; i++) {
            graphics.setColor(color((double) i / KEY));
            graphics.fill(new Rectangle2D.Double(left + i, GAP / 2.0, 1, GAP));
        }
        String to = Significant.text(most);
        ChartStyle.text(graphics, to, left + KEY + GAP, LINE - 6.0, ChartStyle.TEXT);
    }

    /** Between two of the ramp, from 0 to 1. */
    private static Color color(double part) {
        Color[] ramp = ChartStyle.RAMP;
        double at = part * (ramp.length - 1);
        int index = Math.min(ramp.length - 2, (int) at);
        double rest = at - index;
        return new Color(
                mixed(ramp[index].getRed(), ramp[index + 1].getRed(), rest),
                mixed(ramp[index].getGreen(), ramp[index + 1].getGreen(), rest),
                mixed(ramp[index].getBlue(), ramp[index + 1].getBlue(), rest));
    }

    private static int mixed(int from, int to, double part) {
        return (int) Math.round(from + part * (to - from));
    }
}
