package io.phaseload.report.pictures;

import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import java.util.List;
import java.util.function.Supplier;

/**
 * A chart that can be drawn.
 *
 * @param name the name of its file without the extension: that of the corresponding Vega-Lite file, if there is one
 * @param panels from top to bottom; none if there is nothing to show
 */
record Picture(String name, Supplier<String> title, Supplier<List<Panel>> panels) {

    private static final int HEAD = 54;
    private static final int LEFT = 12;

    /** The picture of a Vega-Lite file of this name. */
    static Picture of(String name, Supplier<List<Panel>> panels) {
        return new Picture(name, () -> Chart.title(name), panels);
    }

    /** An SVG file below its title and what it is of; empty if there is nothing to show. */
    String file(String about, Theme theme) {
        List<Panel> some = panels.get();
        if (some.isEmpty()) {
            return "";
        }
        String label = title.get() + " – " + about;
        Svg head = new Svg(theme);
        head.add("<title>%s</title>\n", Svg.escaped(label));
        head.rectangle(0, 0, Svg.WIDTH, HEAD + height(some), theme.color("background"));
        head.heading(LEFT, 24, title.get());
        head.faintText(LEFT, 44, "start", Svg.fitted(about, Svg.WIDTH - 2.0 * LEFT));
        return document(
                some,
                HEAD,
                "xmlns=\"http://www.w3.org/2000/svg\" height=\"%d\"".formatted(HEAD + height(some)),
                label,
                head);
    }

    /** For a page, whose heading is above it; empty if there is nothing to show. */
    String sketch(Theme theme) {
        List<Panel> some = panels.get();
        return some.isEmpty() ? "" : document(some, 0, "class=\"sketch\"", title.get(), new Svg(theme));
    }

    private static String document(List<Panel> panels, int head, String attributes, String label, Svg start) {
        Svg svg = new Svg(start);
        svg.add(
                "<svg %s viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\" fill=\"%s\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n",
                attributes, Svg.WIDTH, head + height(panels), Svg.WIDTH, Svg.escaped(label), svg.ink());
        svg.add("%s", start);
        int top = head;
        for (Panel panel : panels) {
            svg.add("<g transform=\"translate(0 %d)\">\n", top);
            panel.draw(svg);
            svg.add("</g>\n");
            top += panel.height();
        }
        return svg.add("</svg>\n").toString();
    }

    private static int height(List<Panel> panels) {
        return panels.stream().mapToInt(Panel::height).sum();
    }
}
