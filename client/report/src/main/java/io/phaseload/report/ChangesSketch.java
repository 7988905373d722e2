package io.phaseload.report;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Significant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Changes with their intervals as plain SVG, each below its name and what it is called, so that no name is cut. */
final class ChangesSketch {

    private static final int WIDTH = 900;
    private static final int SIDE = 40;
    private static final int ROW = 38;
    private static final int BOTTOM = 24;

    /** As much of the axis as a number needs. */
    private static final double LABEL = 0.08;

    private static final List<String> WORDS = List.of("better", "same", "undecided", "worse");

    private final Rows rows;
    private final ChangeAxis axis;
    private final List<String> colors;
    private final StringBuilder out = new StringBuilder();

    private ChangesSketch(Rows rows, List<String> colors) {
        this.rows = rows;
        this.axis = ChangeAxis.of(rows);
        this.colors = colors;
    }

    /** HTML; {@code colors} are those of better, same, undecided and worse. */
    static String html(String label, String unit, Rows changes, List<String> colors) {
        return changes
                .where(row -> row.text("change_unit").equals(unit))
                .where(row -> Double.isFinite(row.number("change")))
                .by("after")
                .entrySet()
                .stream()
                .map(of -> new ChangesSketch(of.getValue(), colors).html(label, of.getKey()))
                .collect(Collectors.joining());
    }

    private String html(String label, String after) {
        String title = "change (%s) in %s".formatted(unit(), after);
        int height = ROW * rows.all().size() + BOTTOM;
        add("<p class=\"sketched\">%s</p>\n", Html.text(title));
        add(
                "<svg class=\"sketch\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n",
                WIDTH, height, WIDTH, Html.text(label + ": " + title));
        add(
                "<rect x=\"%s\" width=\"%s\" height=\"%d\" fill-opacity=\".06\"/>\n",
                across(-axis.same()), across(axis.same()) - across(-axis.same()), height - BOTTOM);
        ticks(height - BOTTOM);
        for (int i = 0; i < rows.all().size(); i++) {
            row(rows.all().get(i), ROW * i);
        }
        return out.append("</svg>\n").toString();
    }

    private void ticks(int bottom) {
        double last = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Double, String> tick : axis.ticks().entrySet()) {
            double part = tick.getKey() / axis.reach() / 2;
            // Zero is in any case; what would touch it isn't.
            boolean free = part - last > LABEL && (part >= 0 || -part > LABEL);
            if (free || part == 0) {
                last = part;
                add(
                        "<path stroke=\"currentColor\" stroke-opacity=\"%s\" d=\"M%s,0V%d\"/><text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                        part == 0 ? ".6" : ".15",
                        across(tick.getKey()),
                        bottom,
                        across(tick.getKey()),
                        bottom + 16,
                        tick.getValue());
            }
        }
    }

    private void row(Row row, int top) {
        String color = colors.get(Math.max(0, WORDS.indexOf(row.text("word"))));
        String name = "%s · %s · %s: %s, %s %s (%s to %s)"
                .formatted(
                        row.text("figure"),
                        row.text("phase"),
                        row.text("operation"),
                        row.text("word"),
                        signed(row, "change"),
                        unit(),
                        signed(row, "low"),
                        signed(row, "high"));
        add("<text x=\"2\" y=\"%d\">%s</text>", top + 15, Html.text(name));
        double middle = top + 26;
        add(
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"M%s,%s%sH%s%s\"/>",
                color,
                across(axis.place(row, "low")) + (axis.isCut(row, "low") ? 5 : 0),
                middle,
                axis.isCut(row, "low") ? "l0,-4l-5,4l5,4l0,-4" : "",
                across(axis.place(row, "high")),
                axis.isCut(row, "high") ? "m-5,-4l5,4l-5,4" : "");
        add("<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"%s\"/>\n", across(axis.place(row, "change")), middle, color);
    }

    private String unit() {
        return axis.ratios() ? "%" : "points";
    }

    private static String signed(Row row, String column) {
        double number = row.number(column);
        return (number > 0 ? "+" : number < 0 ? "−" : "") + Significant.text(Math.abs(number));
    }

    private double across(double place) {
        double part = (place / axis.reach() + 1) / 2;
        return Math.rint(10 * (SIDE + part * (WIDTH - 2 * SIDE))) / 10;
    }

    private void add(String pattern, Object... values) {
        out.append(String.format(Locale.ROOT, pattern, values));
    }
}
