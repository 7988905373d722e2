package io.phaseload.report.pictures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Rows with their names, each an interval with marks on it, over one axis; XChart has no such chart. Not thread-safe.
 */
final class RowPlot implements Panel {

    private static final int ROW = 22;
    private static final int AXIS = 28;
    private static final int GAP = 12;
    private static final int RIGHT = 40;
    private static final double MARK = 8;

    /** As much of the width as names have. */
    private static final double NAMES = 0.55 * ChartStyle.WIDTH;

    /**
     * A row.
     *
     * @param name in full
     * @param from the interval's start
     * @param to the interval's end
     * @param line the interval's colour
     * @param marks on it
     */
    record Row(String name, double from, double to, Color line, List<Mark> marks) {}

    /** A value. */
    record Mark(double at, Color color, Form form) {}

    /** What tells marks apart besides colours; triangles are called by where they point. */
    enum Form {
        CIRCLE(0, 0),
        DIAMOND(4, -90),
        UP(3, -90),
        DOWN(3, 90),
        LEFT(3, 180),
        RIGHT(3, 0);

        private final int corners;
        private final int first;

        Form(int corners, int firstDegrees) {
            this.corners = corners;
            this.first = firstDegrees;
        }
    }

    private final String title;
    private final List<Row> rows = new ArrayList<>();
    private final Map<Double, String> ticks = new TreeMap<>();
    private final Map<String, Mark> legend;
    private double shadedTo;

    /** An empty plot; {@code legend} has an example of each mark. */
    RowPlot(String title, Map<String, Mark> legend) {
        this.title = title;
        this.legend = legend;
    }

    void row(Row row) {
        rows.add(row);
    }

    /** A number on the axis, if it is in sight. */
    void tick(double at, String text) {
        ticks.put(at, text);
    }

    /** Shades the axis on both sides of zero. */
    void shade(double to) {
        shadedTo = to;
    }

    @Override
    public int height() {
        return 2 * ROW + GAP + ROW * rows.size() + AXIS;
    }

    @Override
    public void paint(Graphics2D graphics) {
        double left = rows.stream()
                        .map(row -> ChartStyle.fitted(row.name(), NAMES))
                        .mapToDouble(name -> ChartStyle.width(name))
                        .max()
                        .orElse(0)
                + 2 * GAP;
        double[] ends = rows.stream()
                .flatMap(row -> Stream.of(row.from(), row.to(), -shadedTo, shadedTo))
                .mapToDouble(Double::doubleValue)
                .filter(end -> end != 0 || shadedTo > 0)
                .sorted()
                .toArray();
        if (ends.length == 0) {
            return;
        }
        Scale scale = new Scale(ends[0], ends[ends.length - 1], left, ChartStyle.WIDTH - RIGHT);
        ChartStyle.text(graphics, title, GAP, ROW - 6, ChartStyle.TEXT);
        legend(graphics);
        double top = 2 * ROW;
        double bottom = top + GAP + ROW * rows.size();
        graphics.setColor(ChartStyle.SHADE);
        if (shadedTo > 0) {
            double from = scale.x(-shadedTo);
            graphics.fill(new Rectangle2D.Double(from, top, scale.x(shadedTo) - from, bottom - top));
        }
        axis(graphics, scale, top, bottom);
        for (int i = 0; i < rows.size(); i++) {
            row(graphics, scale, rows.get(i), top + GAP + ROW * i + ROW / 2.0 - GAP / 2.0);
        }
    }

    /** From a range of numbers to places. */
    private record Scale(double least, double most, double left, double right) {

        double x(double number) {
            return most == least ? (left + right) / 2 : left + (number - least) / (most - least) * (right - left);
        }

        boolean shows(double number) {
            return number >= least - 1e-9 && number <= most + 1e-9;
        }
    }

    private void legend(Graphics2D graphics) {
        double x = GAP + MARK;
        for (Map.Entry<String, Mark> entry : legend.entrySet()) {
            mark(graphics, entry.getValue(), x, 1.5 * ROW);
            ChartStyle.text(graphics, entry.getKey(), x + MARK, 1.5 * ROW + 4, ChartStyle.TEXT);
            x += 3 * MARK + ChartStyle.width(entry.getKey());
        }
    }

    /** Numbers that would touch others are left out, those farthest from zero first. */
    private void axis(Graphics2D graphics, Scale scale, double top, double bottom) {
        List<Double> shown = new ArrayList<>(ticks.keySet());
        shown.removeIf(tick -> !scale.shows(tick));
        shown.sort(Comparator.comparing(Math::abs));
        List<Rectangle2D> taken = new ArrayList<>();
        for (double tick : shown) {
            String text = ticks.get(tick);
            double half = ChartStyle.width(text) / 2;
            double x = scale.x(tick);
            Rectangle2D label = new Rectangle2D.Double(x - half - GAP / 2.0, 0, 2 * half + GAP, 1);
            if (taken.stream().anyMatch(label::intersects)) {
                continue;
            }
            taken.add(label);
            graphics.setStroke(new BasicStroke(1));
            graphics.setColor(tick == 0 && shadedTo > 0 ? ChartStyle.FAINT : ChartStyle.GRID);
            graphics.draw(new Line2D.Double(x, top, x, bottom));
            ChartStyle.text(graphics, text, x - half, bottom + 16, ChartStyle.FAINT);
        }
    }

    private static void row(Graphics2D graphics, Scale scale, Row row, double y) {
        String name = ChartStyle.fitted(row.name(), NAMES);
        double x = scale.left() - GAP - ChartStyle.width(name);
        ChartStyle.text(graphics, name, x, y + 4, ChartStyle.TEXT);
        graphics.setColor(row.line());
        graphics.setStroke(ChartStyle.SOLID);
        graphics.draw(new Line2D.Double(scale.x(row.from()), y, scale.x(row.to()), y));
        row.marks().forEach(mark -> mark(graphics, mark, scale.x(mark.at()), y));
    }

    private static void mark(Graphics2D graphics, Mark mark, double x, double y) {
        graphics.setColor(mark.color());
        graphics.fill(shape(mark.form(), x, y));
    }

    private static Shape shape(Form form, double x, double y) {
        if (form == Form.CIRCLE) {
            return new Ellipse2D.Double(x - MARK / 2, y - MARK / 2, MARK, MARK);
        }
        Path2D shape = new Path2D.Double();
        for (int i = 0; i < form.corners; i++) {
            double angle = Math.toRadians(form.first + 360.0 * i / form.corners);
            double cornerX = x + 0.65 * MARK * Math.cos(angle);
            double cornerY = y + 0.65 * MARK * Math.sin(angle);
            if (i == 0) {
                shape.moveTo(cornerX, cornerY);
            } else {
                shape.lineTo(cornerX, cornerY);
            }
        }
        shape.closePath();
        return shape;
    }
}
