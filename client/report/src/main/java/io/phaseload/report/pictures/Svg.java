package io.phaseload.report.pictures;

import io.phaseload.report.charts.Theme;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes SVG: shapes in a theme's colours, with texts as texts. Not thread-safe. */
final class Svg {

    static final int WIDTH = 900;
    static final String PLAIN = "";
    static final String DASHED = "4 4";

    /** Lines differ by more than their colours. */
    private static final List<String> DASHES = List.of(PLAIN, "8 3", "4 3", "1 4");

    private static final int FONT = 12;
    private static final String NARROW = "fijlrt.,:;|'!()[]/ ";
    private static final String BROAD = "mwMW%@—…";
    private static final int IDEOGRAPHS = 0x2E80;

    private final StringBuilder out = new StringBuilder();
    private final Theme theme;

    Svg(Theme theme) {
        this.theme = theme;
    }

    /** Of the same theme, without any elements. */
    Svg(Svg like) {
        this(like.theme);
    }

    String ink() {
        return theme.color("title", "color");
    }

    String grid() {
        return theme.color("axis", "gridColor");
    }

    String faint() {
        return theme.color("axis", "labelColor");
    }

    String shade() {
        return theme.color("style", "phase", "color");
    }

    /** Adds elements as they are; numbers are written to a tenth. */
    Svg add(String pattern, Object... values) {
        Object[] written = values.clone();
        for (int i = 0; i < written.length; i++) {
            written[i] = values[i] instanceof Double number ? place(number) : values[i];
        }
        out.append(String.format(Locale.ROOT, pattern, written));
        return this;
    }

    void rectangle(double left, double top, double width, double height, String fill) {
        add("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", left, top, width, height, fill);
    }

    void fill(String way, String color, double opacity) {
        String faint = opacity < 1 ? String.format(Locale.ROOT, " fill-opacity=\"%.3f\"", opacity) : "";
        add("<path fill=\"%s\"%s d=\"%s\"/>\n", color, faint, way);
    }

    void line(String way, String color, double width, String dashes) {
        add(
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\" stroke-linejoin=\"round\"%s d=\"%s\"/>\n",
                color, width, dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"", way);
    }

    void dot(double x, double y, String color) {
        add("<circle cx=\"%s\" cy=\"%s\" r=\"3.5\" fill=\"%s\"/>\n", x, y, color);
    }

    /** A text with its baseline at y; {@code anchor} is the part of it at x: start, middle or end. */
    void text(double x, double y, String anchor, String text) {
        write(x, y, anchor, text, "");
    }

    /** A text in the colour of what is less important. */
    void faintText(double x, double y, String anchor, String text) {
        write(x, y, anchor, text, " fill=\"" + faint() + "\"");
    }

    /** A text in bold. */
    void heading(double x, double y, String text) {
        write(x, y, "start", text, " font-weight=\"bold\" font-size=\"15\"");
    }

    /** A figure that is read from afar. */
    void large(double x, double y, String text, String color) {
        write(x, y, "start", text, " font-weight=\"bold\" font-size=\"21\" fill=\"" + color + "\"");
    }

    private void write(double x, double y, String anchor, String text, String look) {
        if (!text.isEmpty()) {
            add("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n", x, y, anchor, look, escaped(text));
        }
    }

    /** Texts in a row by their middles, without those that would touch one before. */
    void labels(Map<Double, String> texts, double y) {
        double free = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Double, String> text : texts.entrySet()) {
            double half = width(text.getValue()) / 2;
            if (text.getKey() - half > free) {
                faintText(text.getKey(), y, "middle", text.getValue());
                free = text.getKey() + half + FONT / 2.0;
            }
        }
    }

    /** Starts over when all are used. */
    static String dashes(int series) {
        return DASHES.get(series % DASHES.size());
    }

    /** A number of pixels, to a tenth. */
    static String place(double number) {
        long tenths = Math.round(10 * number);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
    }

    /** For an element or an attribute; XML has no control characters. */
    static String escaped(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cs}\\uFFFE\\uFFFF]", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A text without its middle, where it is wider than this: names differ at their ends. */
    static String fitted(String text, double width) {
        String fitted = text;
        for (int kept = text.length() - 1; kept > 2 && width(fitted) > width; kept--) {
            fitted = text.substring(0, kept / 2) + "…" + text.substring(text.length() - kept / 2);
        }
        return fitted;
    }

    /** About as wide as a text is in a usual font: it is drawn elsewhere, and a run needs no fonts. */
    static double width(String text) {
        return text.codePoints().mapToDouble(Svg::width).sum();
    }

    private static double width(int character) {
        if (character >= IDEOGRAPHS) {
            return FONT;
        }
        if (NARROW.indexOf(character) >= 0) {
            return 0.38 * FONT;
        }
        return (BROAD.indexOf(character) >= 0 ? 0.95 : Character.isUpperCase(character) ? 0.7 : 0.62) * FONT;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
