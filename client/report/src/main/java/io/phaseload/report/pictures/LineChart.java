package io.phaseload.report.pictures;

import io.phaseload.report.Axis;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Lines over two axes, with the legend above them, as in the charts of pages: XChart's logarithmic grids are dense, and
 * it draws nothing behind lines. What is added last is drawn on top. Not thread-safe.
 */
final class LineChart implements Panel {

    private static final int LEFT = 66;
    private static final int RIGHT = 24;
    private static final int LINE = 20;
    private static final int BOTTOM = 28;
    private static final int GAP = 12;
    private static final int SAMPLE = 30;
    private static final double DOT = 7;
    private static final double WIDTH = ChartStyle.WIDTH - LEFT - RIGHT;

    private final String title;
    private final String yTitle;
    private final Axis x;
    private final Axis y;
    private final int height;
    private final List<Part> parts = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();
    private final List<Curve> curves = new ArrayList<>();
    private final List<Sign> signs = new ArrayList<>();
    private boolean withLegend = true;
    private boolean withXTitle = true;

    /** A part of the horizontal axis; its name may be empty. */
    private record Part(String name, double from, double to, boolean shaded) {}

    /** In numbers of the axes. */
    private record Area(double[] xs, double[] ys, Color fill) {}

    /** A line, dots, or both; it has a stroke unless it is dots alone. */
    private record Curve(String name, double[] xs, double[] ys, Color color, BasicStroke stroke, boolean dots) {}

    /** A text above a point. */
    private record Sign(String text, double at, double of) {}

    /**
     * An empty chart.
     *
     * @param title above it; may be empty
     * @param yTitle beside the vertical axis; may be empty
     * @param height of the plot
     */
    LineChart(String title, String yTitle, Axis x, Axis y, int height) {
        this.title = title;
        this.yTitle = yTitle;
        this.x = x;
        this.y = y;
        this.height = height;
    }

    /** Adds a line, with gaps where there is no number; a lone point is a dot. */
    void line(String name, double[] xs, double[] ys, Color color, BasicStroke stroke) {
        add(new Curve(name, xs, ys, color, stroke, false));
    }

    /** Adds a line with its points shown, if they are few. */
    void points(String name, double[] xs, double[] ys, Color color) {
        add(new Curve(name, xs, ys, color, ChartStyle.SOLID, true));
    }

    /** Adds points without a line. */
    void dots(String name, double[] xs, double[] ys, Color color) {
        add(new Curve(name, xs, ys, color, null, true));
    }

    /** What is beyond the axis isn't drawn. */
    private void add(Curve curve) {
        double[] ys = curve.ys().clone();
        for (int i = 0; i < ys.length; i++) {
            double at = curve.xs()[i];
            ys[i] = at < x.from() || at > x.to() ? Double.NaN : ys[i];
        }
        if (DoubleStream.of(ys).anyMatch(Double::isFinite)) {
            curves.add(new Curve(curve.name(), curve.xs(), ys, curve.color(), curve.stroke(), curve.dots()));
        }
    }

    /** Adds the band between two lines. */
    void band(double[] xs, double[] low, double[] high, Color color) {
        int n = xs.length;
        double[] around = Arrays.copyOf(xs, 2 * n);
        double[] edge = Arrays.copyOf(low, 2 * n);
        for (int i = 0; i < n; i++) {
            around[2 * n - 1 - i] = xs[i];
            edge[2 * n - 1 - i] = high[i];
        }
        if (n > 1 && DoubleStream.of(edge).allMatch(Double::isFinite)) {
            areas.add(new Area(around, edge, ChartStyle.faint(color)));
        }
    }

    /** Adds a cell of a heat map, behind all lines. */
    void cell(double fromX, double toX, double fromY, double toY, Color fill) {
        areas.add(new Area(new double[] {fromX, toX, toX, fromX}, new double[] {fromY, fromY, toY, toY}, fill));
    }

    /** Adds a part of the axis, which may have a name. */
    void part(String name, double from, double to, boolean shaded) {
        parts.add(new Part(name, from, to, shaded));
    }

    /** Adds a sign above a point. */
    void sign(String sign, double at, double of) {
        signs.add(new Sign(sign, at, of));
    }

    /** Leaves out the legend, where the title says it all. */
    LineChart withoutLegend() {
        withLegend = false;
        return this;
    }

    /** None, if there are no numbers. */
    List<Panel> panel() {
        return curves.isEmpty() ? List.of() : List.of(this);
    }

    /** Those with numbers above each other: the first has the legend, the last the axis' title. */
    static List<Panel> stacked(List<LineChart> charts) {
        List<LineChart> some =
                charts.stream().filter(chart -> !chart.curves.isEmpty()).toList();
        for (int i = 0; i < some.size(); i++) {
            some.get(i).withLegend &= i == 0;
            some.get(i).withXTitle = i == some.size() - 1;
        }
        return List.copyOf(some);
    }

    @Override
    public int height() {
        return top() + height + BOTTOM + (withXTitle ? LINE : 0);
    }

    /** Of the plot: below title, legend and the names of parts. */
    private int top() {
        boolean named = parts.stream().anyMatch(part -> !part.name().isEmpty());
        return GAP
                + GAP / 2
                + (title.isEmpty() ? 0 : LINE)
                + LINE * legend().size()
                + (named ? LINE : 0)
                + (signs.isEmpty() ? 0 : LINE);
    }

    /** As many in a row as fit. */
    private List<List<Curve>> legend() {
        List<List<Curve>> rows = new ArrayList<>();
        double left = 0;
        for (Curve curve : withLegend ? curves : List.<Curve>of()) {
            double width = SAMPLE + 2 * GAP + ChartStyle.width(name(curve));
            if (left == 0 || left + width > WIDTH) {
                rows.add(new ArrayList<>());
                left = 0;
            }
            rows.get(rows.size() - 1).add(curve);
            left += width;
        }
        return rows;
    }

    private static String name(Curve curve) {
        return ChartStyle.fitted(curve.name(), WIDTH - SAMPLE - 2 * GAP);
    }

    @Override
    public void paint(Graphics2D graphics) {
        int below = GAP;
        if (!title.isEmpty()) {
            ChartStyle.text(graphics, title, LEFT, below + LINE - 6.0, ChartStyle.TEXT);
            below += LINE;
        }
        for (List<Curve> row : legend()) {
            double left = LEFT;
            for (Curve curve : row) {
                sample(graphics, curve, left, below + LINE / 2.0);
                left += SAMPLE + GAP / 2.0;
                ChartStyle.text(graphics, name(curve), left, below + LINE - 6.0, ChartStyle.TEXT);
                left += ChartStyle.width(name(curve)) + 1.5 * GAP;
            }
            below += LINE;
        }
        parts.forEach(part -> part(graphics, part));
        areas.forEach(area -> fill(graphics, way(area.xs(), area.ys(), true), area.fill()));
        axes(graphics);
        curves.forEach(curve -> curve(graphics, curve));
        for (Sign sign : signs) {
            double left = across(sign.at()) - ChartStyle.width(sign.text()) / 2;
            ChartStyle.text(graphics, sign.text(), left, up(sign.of()) - DOT, ChartStyle.TEXT);
        }
    }

    private void sample(Graphics2D graphics, Curve curve, double left, double middle) {
        graphics.setColor(curve.color());
        if (curve.stroke() != null) {
            graphics.setStroke(curve.stroke());
            graphics.draw(new Line2D.Double(left, middle, left + SAMPLE, middle));
        }
        if (curve.dots()) {
            graphics.fill(dot(left + SAMPLE / 2.0, middle));
        }
    }

    private void part(Graphics2D graphics, Part part) {
        double left = across(part.from());
        double width = across(part.to()) - left;
        if (part.shaded()) {
            fill(graphics, new Rectangle2D.Double(left, top(), width, height), ChartStyle.SHADE);
        }
        String name = ChartStyle.fitted(part.name(), width - 4);
        if (ChartStyle.width(name) <= width) {
            ChartStyle.text(graphics, name, left, top() - 6.0, ChartStyle.FAINT);
        }
    }

    private void axes(Graphics2D graphics) {
        graphics.setStroke(new BasicStroke(1));
        double bottom = top() + height;
        for (Map.Entry<Double, String> tick : y.ticks().entrySet()) {
            double at = up(tick.getKey());
            graphics.setColor(ChartStyle.GRID);
            graphics.draw(new Line2D.Double(LEFT, at, LEFT + WIDTH, at));
            double left = LEFT - GAP / 2.0 - ChartStyle.width(tick.getValue());
            ChartStyle.text(graphics, tick.getValue(), left, at + 4, ChartStyle.FAINT);
        }
        graphics.setColor(ChartStyle.FAINT);
        graphics.draw(new Line2D.Double(LEFT, bottom, LEFT + WIDTH, bottom));
        for (Map.Entry<Double, String> tick : x.ticks().entrySet()) {
            double at = across(tick.getKey());
            graphics.setColor(ChartStyle.FAINT);
            graphics.draw(new Line2D.Double(at, bottom, at, bottom + 4));
            double left = at - ChartStyle.width(tick.getValue()) / 2;
            ChartStyle.text(graphics, tick.getValue(), left, bottom + 18, ChartStyle.FAINT);
        }
        if (withXTitle) {
            double left = LEFT + (WIDTH - ChartStyle.width(x.title())) / 2;
            ChartStyle.text(graphics, x.title(), left, bottom + BOTTOM + 10, ChartStyle.FAINT);
        }
        double start = top() + (height + ChartStyle.width(yTitle)) / 2;
        graphics.rotate(-Math.PI / 2, GAP + 4, start);
        ChartStyle.text(graphics, yTitle, GAP + 4, start, ChartStyle.FAINT);
        graphics.rotate(Math.PI / 2, GAP + 4, start);
    }

    private void curve(Graphics2D graphics, Curve curve) {
        graphics.setColor(curve.color());
        if (curve.stroke() != null) {
            graphics.setStroke(curve.stroke());
            graphics.draw(way(curve.xs(), curve.ys(), false));
        }
        for (int i = 0; i < curve.xs().length; i++) {
            if (Double.isFinite(curve.ys()[i]) && (curve.dots() || isAlone(curve.ys(), i))) {
                graphics.fill(dot(across(curve.xs()[i]), up(curve.ys()[i])));
            }
        }
    }

    private static boolean isAlone(double[] values, int at) {
        return (at == 0 || !Double.isFinite(values[at - 1]))
                && (at == values.length - 1 || !Double.isFinite(values[at + 1]));
    }

    private static Shape dot(double x, double y) {
        return new Ellipse2D.Double(x - DOT / 2, y - DOT / 2, DOT, DOT);
    }

    private static void fill(Graphics2D graphics, Shape shape, Color color) {
        graphics.setColor(color);
        graphics.fill(shape);
    }

    private Path2D way(double[] xs, double[] ys, boolean closed) {
        Path2D way = new Path2D.Double();
        boolean begins = true;
        for (int i = 0; i < xs.length; i++) {
            if (!Double.isFinite(ys[i])) {
                begins = true;
            } else if (begins) {
                way.moveTo(across(xs[i]), up(ys[i]));
                begins = false;
            } else {
                way.lineTo(across(xs[i]), up(ys[i]));
            }
        }
        if (closed && !begins) {
            way.closePath();
        }
        return way;
    }

    private double across(double value) {
        return LEFT + x.place(value) * WIDTH;
    }

    private double up(double value) {
        return top() + (1 - y.place(value)) * height;
    }
}
