package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.charts.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Lines, dots, bars and areas over two axes, with the legend above them, as in the Vega-Lite charts. The last addition
 * is drawn on top. Not thread-safe.
 */
final class Plot implements Panel {

    private static final int LEFT = 66;
    private static final int RIGHT = 24;
    private static final int LINE = 20;
    static final int HEIGHT = 260;

    private static final int BOTTOM = 28;
    private static final int GAP = 12;
    private static final int SAMPLE = 30;
    private static final int LABEL = 160;
    private static final double BAND = 0.2;

    /** The opacity of bars whose colour another series has. */
    private static final double LIGHT = 0.4;

    private final String title;
    private final String yTitle;
    private final Axis x;
    private final Axis y;
    private final int height;
    private final List<Part> parts = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final List<Sign> signs = new ArrayList<>();
    private double width = Svg.WIDTH - LEFT - RIGHT;
    private boolean withLegend = true;
    private boolean withXTitle = true;

    /** A part of the horizontal axis; its name may be empty. */
    private record Part(String name, double from, double to, boolean shaded) {}

    /** In numbers of the axes. */
    private record Area(double[] xs, double[] ys, String fill, double opacity) {}

    /** A text above a point. */
    private record Sign(String text, double at, double of) {}

    /** The form of a series. */
    private enum Form {
        LINE,
        POINTS,
        DOTS,
        BARS,
        LIGHT_BARS
    }

    /** Bars have two numbers across and two up for each: from and to. */
    private record Series(String name, double[] xs, double[] ys, String color, Form form, String dashes, Shape shape) {

        double opacity() {
            return form == Form.LIGHT_BARS ? LIGHT : 1;
        }

        void dot(Svg svg, double x, double y) {
            if (shape == Shape.CIRCLE) {
                svg.dot(x, y, color);
            } else {
                svg.fill(shape.way(x, y), color, 1);
            }
        }
    }

    /**
     * An empty chart.
     *
     * @param title above it; may be empty
     * @param yTitle beside the vertical axis; may be empty
     * @param height of the plot
     */
    Plot(String title, String yTitle, Axis x, Axis y, int height) {
        this.title = title;
        this.yTitle = yTitle;
        this.x = x;
        this.y = y;
        this.height = height;
    }

    /** Adds a line, with gaps where there is no number; a lone point is a dot. */
    void line(String name, double[] xs, double[] ys, String color, String dashes) {
        add(new Series(name, xs, ys, color, Form.LINE, dashes, Shape.CIRCLE));
    }

    /** A line over two columns. */
    void line(String name, Rows rows, String atX, String atY, String color, String dashes) {
        line(name, rows.numbers(atX), rows.numbers(atY), color, dashes);
    }

    /** Adds a line with its points shown, if they are few. */
    void points(String name, double[] xs, double[] ys, String color, Shape shape) {
        add(new Series(name, xs, ys, color, Form.POINTS, Svg.PLAIN, shape));
    }

    /** Adds points without a line. */
    void dots(String name, double[] xs, double[] ys, String color, Shape shape) {
        add(new Series(name, xs, ys, color, Form.DOTS, Svg.PLAIN, shape));
    }

    /** Adds bars: each has its left and right side in {@code xs}, its lower and upper end in {@code ys}. */
    void bars(String name, double[] xs, double[] ys, String color) {
        bars(name, xs, ys, List.of(color), 0);
    }

    /** Adds the bars of one of several series; those after as many as there are colours are light. */
    void bars(String name, double[] xs, double[] ys, List<String> colors, int index) {
        Form form = index / colors.size() % 2 == 0 ? Form.BARS : Form.LIGHT_BARS;
        add(new Series(name, xs, ys, colors.get(index % colors.size()), form, Svg.PLAIN, Shape.CIRCLE));
    }

    /** Leaves out points beyond the horizontal axis. */
    private void add(Series added) {
        double[] ys = added.ys().clone();
        for (int i = 0; i < ys.length; i++) {
            double at = added.xs()[i];
            ys[i] = at < x.from() || at > x.to() ? Double.NaN : ys[i];
        }
        if (DoubleStream.of(ys).anyMatch(Double::isFinite)) {
            series.add(new Series(
                    added.name(), added.xs(), ys, added.color(), added.form(), added.dashes(), added.shape()));
        }
    }

    /** Adds the band between two lines. */
    void band(double[] xs, double[] low, double[] high, String color) {
        int n = xs.length;
        double[] around = Arrays.copyOf(xs, 2 * n);
        double[] edge = Arrays.copyOf(low, 2 * n);
        for (int i = 0; i < n; i++) {
            around[2 * n - 1 - i] = xs[i];
            edge[2 * n - 1 - i] = high[i];
        }
        if (n > 1 && DoubleStream.of(edge).allMatch(Double::isFinite)) {
            areas.add(new Area(around, edge, color, BAND));
        }
    }

    /** Adds a cell of a heat map, behind all lines. */
    void cell(double[] xs, double[] ys, String fill, double opacity) {
        areas.add(new Area(
                new double[] {xs[0], xs[1], xs[1], xs[0]}, new double[] {ys[0], ys[0], ys[1], ys[1]}, fill, opacity));
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
    Plot withoutLegend() {
        withLegend = false;
        return this;
    }

    /** None, if there are no numbers. */
    List<Panel> panel() {
        return series.isEmpty() ? List.of() : List.of(this);
    }

    /** Those with numbers above each other: the first has the legend, the last the axis' title. */
    static List<Panel> stacked(List<Plot> charts) {
        List<Plot> some =
                charts.stream().filter(chart -> !chart.series.isEmpty()).toList();
        for (int i = 0; i < some.size(); i++) {
            some.get(i).withLegend &=
                    i == 0 || !some.get(i).names().equals(some.get(0).names());
            some.get(i).withXTitle = i == some.size() - 1;
        }
        return List.copyOf(some);
    }

    private List<String> names() {
        return series.stream().map(Series::name).distinct().toList();
    }

    /** Charts beside and below each other: as narrow as there are columns. */
    static List<Panel> grid(List<Plot> charts, int columns) {
        List<Plot> some =
                charts.stream().filter(chart -> !chart.series.isEmpty()).toList();
        some.forEach(chart -> {
            chart.width = (double) Svg.WIDTH / columns - LEFT - RIGHT;
            chart.withXTitle = false;
        });
        List<Panel> rows = new ArrayList<>();
        for (int i = 0; i < some.size(); i += columns) {
            rows.add(new Row(some.subList(i, Math.min(i + columns, some.size())), columns));
        }
        return rows;
    }

    /** Charts beside each other. */
    private record Row(List<Plot> charts, int columns) implements Panel {

        @Override
        public int height() {
            return charts.stream().mapToInt(Plot::height).max().orElse(0);
        }

        @Override
        public void draw(Svg svg) {
            for (int i = 0; i < charts.size(); i++) {
                svg.add("<g transform=\"translate(%d 0)\">\n", i * Svg.WIDTH / columns);
                charts.get(i).draw(svg);
                svg.add("</g>\n");
            }
        }
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
    private List<List<Series>> legend() {
        List<List<Series>> rows = new ArrayList<>();
        double left = 0;
        for (Series one : withLegend ? series : List.<Series>of()) {
            double width = SAMPLE + 2 * GAP + Svg.width(name(one));
            if (left == 0 || left + width > this.width) {
                rows.add(new ArrayList<>());
                left = 0;
            }
            rows.get(rows.size() - 1).add(one);
            left += width;
        }
        return rows;
    }

    private String name(Series one) {
        return Svg.fitted(one.name(), width - SAMPLE - 2 * GAP);
    }

    @Override
    public void draw(Svg svg) {
        double below = GAP;
        if (!title.isEmpty()) {
            svg.text(LEFT, below + LINE - 6, "start", Svg.fitted(title, width));
            below += LINE;
        }
        for (List<Series> row : legend()) {
            double left = LEFT;
            for (Series one : row) {
                sample(svg, one, left, below + LINE / 2.0);
                left += SAMPLE + GAP / 2.0;
                svg.text(left, below + LINE - 6, "start", name(one));
                left += Svg.width(name(one)) + 1.5 * GAP;
            }
            below += LINE;
        }
        parts.forEach(part -> part(svg, part));
        areas.forEach(area -> svg.fill(way(area.xs(), area.ys()) + "Z", area.fill(), area.opacity()));
        axes(svg);
        series.forEach(one -> series(svg, one));
        signs.forEach(sign -> svg.text(across(sign.at()), up(sign.of()) - 7, "middle", sign.text()));
    }

    private static void sample(Svg svg, Series one, double left, double middle) {
        switch (one.form()) {
            case BARS, LIGHT_BARS -> {
                String way = "M" + Svg.place(left + SAMPLE - GAP) + "," + Svg.place(middle - 5) + "h" + GAP + "v10h-"
                        + GAP + "Z";
                svg.fill(way, one.color(), one.opacity());
            }
            case DOTS -> one.dot(svg, left + SAMPLE / 2.0, middle);
            default -> {
                svg.line("M" + Svg.place(left) + "," + Svg.place(middle) + "h" + SAMPLE, one.color(), 2, one.dashes());
                if (one.form() == Form.POINTS) {
                    one.dot(svg, left + SAMPLE / 2.0, middle);
                }
            }
        }
    }

    private void part(Svg svg, Part part) {
        double left = across(part.from());
        double width = across(part.to()) - left;
        if (part.shaded()) {
            svg.rectangle(left, top(), width, height, svg.shade());
        }
        String name = Svg.fitted(part.name(), width - 4);
        if (Svg.width(name) <= width) {
            svg.faintText(left, top() - 6, "start", name);
        }
    }

    private void axes(Svg svg) {
        int bottom = top() + height;
        y.ticks().forEach((at, text) -> {
            svg.add("<path stroke=\"%s\" d=\"M%d,%sh%s\"/>", svg.grid(), LEFT, up(at), width);
            svg.faintText(LEFT - GAP / 2.0, up(at) + 4, "end", text);
        });
        svg.add("<path stroke=\"%s\" d=\"M%d,%dh%s", svg.faint(), LEFT, bottom, width);
        x.ticks().keySet().forEach(at -> svg.add("M%s,%dv4", across(at), bottom));
        svg.add("\"/>\n");
        Map<Double, String> labels = new TreeMap<>();
        x.ticks().forEach((at, text) -> labels.put(across(at), Svg.fitted(text, LABEL)));
        svg.labels(labels, bottom + 18);
        if (withXTitle) {
            svg.faintText(LEFT + width / 2, bottom + BOTTOM + 10, "middle", x.title());
        }
        if (!yTitle.isEmpty()) {
            double middle = top() + height / 2.0;
            svg.add("<g transform=\"rotate(-90 %d %s)\">", GAP + 4, middle);
            svg.faintText(GAP + 4, middle, "middle", yTitle);
            svg.add("</g>\n");
        }
    }

    private void series(Svg svg, Series one) {
        double[] xs = one.xs();
        double[] ys = one.ys();
        if (one.form() == Form.BARS || one.form() == Form.LIGHT_BARS) {
            StringBuilder way = new StringBuilder();
            for (int i = 0; i + 1 < xs.length; i += 2) {
                if (Double.isFinite(ys[i + 1]) && ys[i + 1] > ys[i]) {
                    way.append('M').append(point(xs[i], ys[i])).append('V').append(Svg.place(up(ys[i + 1])));
                    way.append('H')
                            .append(Svg.place(across(xs[i + 1])))
                            .append('V')
                            .append(Svg.place(up(ys[i])));
                    way.append('Z');
                }
            }
            svg.fill(way.toString(), one.color(), one.opacity());
            return;
        }
        if (one.form() != Form.DOTS) {
            svg.line(way(xs, ys), one.color(), 2, one.dashes());
        }
        for (int i = 0; i < xs.length; i++) {
            if (Double.isFinite(ys[i]) && (one.form() != Form.LINE || isAlone(ys, i))) {
                one.dot(svg, across(xs[i]), up(ys[i]));
            }
        }
    }

    private static boolean isAlone(double[] values, int at) {
        return (at == 0 || !Double.isFinite(values[at - 1]))
                && (at == values.length - 1 || !Double.isFinite(values[at + 1]));
    }

    private String way(double[] xs, double[] ys) {
        StringBuilder way = new StringBuilder();
        int joined = 0;
        for (int i = 0; i < xs.length; i++) {
            if (Double.isFinite(ys[i])) {
                way.append(joined == 0 ? "M" : joined == 1 ? "L" : " ").append(point(xs[i], ys[i]));
            }
            joined = Double.isFinite(ys[i]) ? joined + 1 : 0;
        }
        return way.toString();
    }

    private String point(double atX, double atY) {
        return Svg.place(across(atX)) + "," + Svg.place(up(atY));
    }

    private double across(double value) {
        return LEFT + x.place(value) * width;
    }

    private double up(double value) {
        return top() + (1 - y.place(value)) * height;
    }
}
