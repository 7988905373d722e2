package io.phaseload.report.pictures;

import io.phaseload.report.cells.Significant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Cells of a table, the lighter the greater. An unknown value is an empty cell.
 *
 * @param columns names from left to right
 * @param rows names from top to bottom
 * @param values by row, then column; NaN if unknown
 */
record CellPlot(String title, List<String> columns, List<String> rows, double[][] values) implements Panel {

    private static final int ROW = 28;
    private static final int LINE = 20;
    private static final int GAP = 12;
    private static final int KEY = 160;
    private static final int KEY_STEP = 4;

    /** As much of the width as names have. */
    private static final double NAMES = 0.4 * Svg.WIDTH;

    /** Viridis, from least to most. */
    private static final int[] RAMP = {0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725};

    @Override
    public int height() {
        return 3 * LINE + GAP + ROW * rows.size() + LINE;
    }

    @Override
    public void draw(Svg svg) {
        double least = numbers().min().orElse(0);
        double most = numbers().max().orElse(0);
        key(svg, least, most);
        List<String> names = rows.stream().map(name -> Svg.fitted(name, NAMES)).toList();
        double left = 2 * GAP + names.stream().mapToDouble(Svg::width).max().orElse(0);
        double width = (Svg.WIDTH - left - GAP) / columns.size();
        double top = 2 * LINE;
        for (int row = 0; row < rows.size(); row++) {
            svg.text(left - GAP, top + ROW * (row + 0.5) + 4, "end", names.get(row));
            for (int column = 0; column < columns.size(); column++) {
                double value = values[row][column];
                if (Double.isFinite(value)) {
                    String color = color(most == least ? 1 : (value - least) / (most - least));
                    svg.rectangle(left + width * column, top + ROW * row, width - 1, ROW - 1, color);
                }
            }
        }
        Map<Double, String> labels = new TreeMap<>();
        for (int column = 0; column < columns.size(); column++) {
            labels.put(left + width * (column + 0.5), Svg.fitted(columns.get(column), Math.max(width, KEY)));
        }
        svg.labels(labels, top + ROW * rows.size() + LINE - 4);
    }

    private DoubleStream numbers() {
        return Stream.of(values).flatMapToDouble(DoubleStream::of).filter(Double::isFinite);
    }

    private void key(Svg svg, double least, double most) {
        String from = title + ": " + Significant.text(least);
        svg.text(GAP, LINE - 6, "start", from);
        double left = 2 * GAP + Svg.width(from);
        for (int i = 0; i < KEY; i += KEY_STEP) {
            svg.rectangle(left + i, GAP / 2.0, KEY_STEP, GAP, color((double) i / KEY));
        }
        svg.text(left + KEY + GAP, LINE - 6, "start", Significant.text(most));
    }

    /** Between two of the ramp, from 0 to 1. */
    private static String color(double part) {
        double at = part * (RAMP.length - 1);
        int index = Math.min(RAMP.length - 2, (int) at);
        int color = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int from = RAMP[index] >> shift & 0xFF;
            int to = RAMP[index + 1] >> shift & 0xFF;
            color = color << 8 | (int) Math.round(from + (at - index) * (to - from));
        }
        return String.format(Locale.ROOT, "#%06x", color);
    }
}
