package io.phaseload.report;

import io.phaseload.report.tables.RunTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Lines over an axis as plain SVG, with its legend as HTML: small enough to be in every page, where it is seen until a
 * script has drawn the chart, or for good without scripts. Not thread-safe.
 */
final class Sketch {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 240;
    private static final int LEFT = 60;
    private static final int RIGHT = 16;
    private static final int TOP = 24;
    private static final int BOTTOM = 44;

    /** Lines are told apart by more than colours. */
    private static final List<String> DASHES = List.of("", "8 3", "4 3", "1 4", "8 3 2 3");

    private final String title;
    private final Axis x;
    private final Axis y;
    private final StringBuilder ground = new StringBuilder();
    private final StringBuilder marks = new StringBuilder();
    private final Map<String, String> legend = new LinkedHashMap<>();

    /**
     * Creates one without lines.
     *
     * @param title what is above it: the vertical axis
     */
    Sketch(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a part of the horizontal axis, with its name; every other one is shaded. */
    Sketch part(String name, double from, double to, boolean shaded) {
        double left = across(from);
        double width = across(to) - left;
        if (shaded) {
            ground.append(format(
                    "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"currentColor\" fill-opacity=\".06\"/>",
                    place(left), TOP, place(width), HEIGHT - TOP - BOTTOM));
        }
        ground.append(format(
                "<svg x=\"%s\" y=\"0\" width=\"%s\" height=\"%d\"><text x=\"2\" y=\"16\">%s</text></svg>",
                place(left), place(width), TOP, Html.text(name)));
        return this;
    }

    /** A line through points, from left to right; {@code NaN} is a gap, a lone point a dot. */
    record Line(String name, String color, double[] xs, double[] ys) {}

    /** Adds a line, and its name to the legend. */
    Sketch line(Line line) {
        String look = format(
                "fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-dasharray=\"%s\"",
                line.color(), DASHES.get(legend.size() % DASHES.size()));
        legend.put(line.name(), look);
        marks.append("<path ").append(look).append(" d=\"").append(way(line)).append("\"/>\n");
        return this;
    }

    /** How many lines there are so far. */
    int lines() {
        return legend.size();
    }

    private String way(Line line) {
        StringBuilder out = new StringBuilder();
        int joined = 0;
        for (int i = 0; i < line.xs().length; i++) {
            if (!Double.isFinite(line.ys()[i])) {
                joined = 0;
                continue;
            }
            out.append(joined == 0 ? "M" : joined == 1 ? "L" : " ");
            out.append(place(across(line.xs()[i]))).append(',').append(place(up(line.ys()[i])));
            // A way of no length is a dot, if nothing follows.
            out.append(joined == 0 ? "h0" : "");
            joined++;
        }
        return out.toString();
    }

    /** Adds the interval of a value. */
    Sketch interval(String color, double at, double low, double high) {
        if (Double.isFinite(low) && Double.isFinite(high)) {
            marks.append(format(
                    "<path fill=\"none\" stroke=\"%s\" stroke-width=\"6\" stroke-opacity=\".35\" d=\"M%s,%sV%s\"/>\n",
                    color, place(across(at)), place(up(low)), place(up(high))));
        }
        return this;
    }

    private double across(double value) {
        return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double up(double value) {
        return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    /** What a legend tells apart: all operations together need none, if they are all there is. */
    private Map<String, String> named() {
        return legend.keySet().equals(Set.of(RunTables.ALL)) ? Map.of() : legend;
    }

    /** HTML; {@code label} says what it shows, for those who can't see it. */
    String html(String label) {
        StringBuilder out = new StringBuilder("<p class=\"sketched\">").append(Html.text(title));
        named().forEach((name, look) -> out.append(format(
                " <span><svg width=\"30\" height=\"10\" aria-hidden=\"true\"><path %s d=\"M2,5H28\"/></svg> <bdi>%s</bdi></span>",
                look, Html.text(name))));
        out.append("</p>\n");
        out.append(format(
                "<svg class=\"sketch\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n",
                WIDTH, HEIGHT, WIDTH, Html.text(label + ": " + title)));
        out.append(ground);
        y.ticks().forEach((at, text) -> {
            out.append(format(
                    "<path stroke=\"currentColor\" stroke-opacity=\".2\" d=\"M%d,%sH%d\"/>",
                    LEFT, place(up(at)), WIDTH - RIGHT));
            text(out, LEFT - 6, up(at) + 4, "end", text);
        });
        x.ticks().forEach((at, text) -> text(out, across(at), HEIGHT - BOTTOM + 16, "middle", text));
        text(out, WIDTH - RIGHT, HEIGHT - 8, "end", x.title());
        return out.append('\n').append(marks).append("</svg>\n").toString();
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(format(
                "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>", place(x), place(y), anchor, Html.text(text)));
    }

    /** To a tenth of a pixel. */
    private static String place(double number) {
        long tenths = Math.round(10 * number);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
