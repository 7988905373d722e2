package io.phaseload.report.pictures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Rows below their names, each an interval with marks on it, over one axis.
 *
 * @param legend an example of each mark
 * @param rows from top to bottom
 * @param ticks numbers of the axis; those in sight are shown, as far as there is room
 * @param shadedTo the axis is shaded so far on both sides of zero; 0 for not at all
 */
record RowPlot(String title, Map<String, Mark> legend, List<Row> rows, Map<Double, String> ticks, double shadedTo)
        implements Panel {

    private static final int ROW = 36;
    private static final int LINE = 22;
    private static final int AXIS = 28;
    private static final int GAP = 12;
    private static final int SIDE = 40;
    private static final double MARK = 8;

    /**
     * A row.
     *
     * @param name in full
     * @param from the interval's start
     * @param to the interval's end
     * @param line the interval's colour
     * @param marks on it
     */
    record Row(String name, double from, double to, String line, List<Mark> marks) {}

    /** A value. */
    record Mark(double at, String color, Shape shape) {}

    @Override
    public int height() {
        return 2 * LINE + GAP + ROW * rows.size() + AXIS;
    }

    @Override
    public void draw(Svg svg) {
        double[] ends = rows.stream()
                .flatMapToDouble(row -> DoubleStream.of(row.from(), row.to(), -shadedTo, shadedTo))
                .filter(end -> end != 0 || shadedTo > 0)
                .sorted()
                .toArray();
        if (ends.length == 0) {
            return;
        }
        TimeScale scale = new TimeScale(ends[0], ends[ends.length - 1]);
        svg.text(GAP, LINE - 6, "start", Svg.fitted(title, Svg.WIDTH - 2.0 * GAP));
        double x = GAP + MARK;
        for (Map.Entry<String, Mark> entry : legend.entrySet()) {
            mark(svg, entry.getValue(), x, 1.5 * LINE);
            svg.text(x + MARK, 1.5 * LINE + 4, "start", entry.getKey());
            x += 3 * MARK + Svg.width(entry.getKey());
        }
        double top = 2 * LINE;
        double bottom = top + GAP + ROW * rows.size();
        if (shadedTo > 0) {
            double from = scale.x(-shadedTo);
            svg.rectangle(from, top, scale.x(shadedTo) - from, bottom - top, svg.shade());
        }
        axis(svg, scale, top, bottom);
        for (int i = 0; i < rows.size(); i++) {
            row(svg, scale, rows.get(i), top + ROW * i);
        }
    }

    /** From a range of numbers to places. */
    private record TimeScale(double least, double most) {

        double x(double number) {
            double part = most == least ? 0.5 : (number - least) / (most - least);
            return SIDE + part * (Svg.WIDTH - 2 * SIDE);
        }

        boolean shows(double number) {
            return number >= least - 1e-9 && number <= most + 1e-9;
        }
    }

    /** Numbers that would touch others are left out, those farthest from zero first. */
    private void axis(Svg svg, TimeScale scale, double top, double bottom) {
        List<Double> shown = new ArrayList<>(ticks.keySet());
        shown.removeIf(tick -> !scale.shows(tick));
        shown.sort(Comparator.comparing(Math::abs));
        List<double[]> taken = new ArrayList<>();
        for (double tick : shown) {
            String text = ticks.get(tick);
            double reach = Svg.width(text) / 2 + GAP / 2.0;
            double x = scale.x(tick);
            if (taken.stream().noneMatch(label -> Math.abs(label[0] - x) < label[1] + reach)) {
                taken.add(new double[] {x, reach});
                String color = tick == 0 && shadedTo > 0 ? svg.faint() : svg.grid();
                svg.add("<path stroke=\"%s\" d=\"M%s,%sV%s\"/>", color, x, top, bottom);
                svg.faintText(x, bottom + 16, "middle", text);
            }
        }
    }

    private static void row(Svg svg, TimeScale scale, Row row, double top) {
        double middle = top + 26;
        svg.text(GAP, top + 14, "start", Svg.fitted(row.name(), Svg.WIDTH - 2.0 * GAP));
        String way =
                "M%s,%sH%s".formatted(Svg.place(scale.x(row.from())), Svg.place(middle), Svg.place(scale.x(row.to())));
        svg.line(way, row.line(), 2, Svg.PLAIN);
        row.marks().forEach(mark -> mark(svg, mark, scale.x(mark.at()), middle));
    }

    private static void mark(Svg svg, Mark mark, double x, double y) {
        svg.fill(mark.shape().way(x, y), mark.color(), 1);
    }
}
