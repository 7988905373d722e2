package io.phaseload.report.pictures;

import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Theme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The summary of a run as a picture of 1200 × 630 pixels, which chats and pull requests show.
 *
 * @param title the subject of the run
 * @param about its date and its verdict
 * @param figures the first figures of its page
 */
public record Card(String title, String about, List<Figure> figures) {

    private static final int WIDTH = 1200;
    private static final int HEIGHT = 630;
    private static final int ROW = 62;
    private static final String BAD = "#a13800";

    /**
     * A figure.
     *
     * @param name such as {@code p99 of successes}
     * @param value with its unit
     * @param bad true if it is a figure of failures
     */
    public record Figure(String name, String value, boolean bad) {}

    /**
     * Draws it.
     *
     * @param tables of the run
     * @return a PNG file
     * @throws IOException if this machine has no fonts
     */
    public byte[] png(List<Table> tables) throws IOException {
        Pictures.checkFonts();
        Theme theme = Theme.light();
        List<Panel> panels = new ArrayList<>(List.of(new Row()));
        panels.addAll(RunPictures.overview(tables, theme));
        String svg = new Picture("card", () -> title, () -> panels).file(about, theme);
        return Png.of(svg.getBytes(StandardCharsets.UTF_8), WIDTH, HEIGHT);
    }

    /** The figures beside each other. */
    private final class Row implements Panel {

        @Override
        public int height() {
            return ROW;
        }

        @Override
        public void draw(Svg svg) {
            double width = (double) Svg.WIDTH / figures.size();
            for (int i = 0; i < figures.size(); i++) {
                Figure figure = figures.get(i);
                svg.faintText(i * width + 12, 20, "start", Svg.fitted(figure.name(), width - 24));
                svg.large(i * width + 12, 46, figure.value(), figure.bad() ? BAD : svg.ink());
            }
        }
    }
}
