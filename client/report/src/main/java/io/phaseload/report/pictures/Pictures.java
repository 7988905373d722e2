package io.phaseload.report.pictures;

import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Theme;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws tables to files, without a browser or a screen. */
public final class Pictures {

    /** The format of a file. */
    public enum PictureFormat {
        /** Pixels, two per point. */
        PNG(".png"),
        /** Shapes. */
        SVG(".svg");

        private final String end;

        PictureFormat(String end) {
            this.end = end;
        }
    }

    /** The first charts of pages: the others would make pages large. */
    private static final Set<String> SKETCHED = Set.of(
            "overview",
            "latency",
            "failures",
            "scaling",
            "scaling-latency",
            "scaling-failures",
            "changes",
            "changes-points",
            "compared-percentiles",
            "compared-latency",
            "compared-throughput");

    private Pictures() {}

    /**
     * Draws the charts of a run, a sweep or a comparison.
     *
     * @param tables its tables
     * @param about of what and when, for each picture
     * @param folder created if missing; files of the same names are replaced
     * @param format of the files
     * @return the files
     * @throws IOException if they can't be written, or PNG is wanted and this machine has no fonts
     */
    public static List<Path> draw(List<Table> tables, String about, Path folder, PictureFormat format)
            throws IOException {
        if (format == PictureFormat.PNG) {
            checkFonts();
        }
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        Theme theme = Theme.light();
        for (Picture picture : of(tables, theme, false)) {
            String svg = picture.file(about, theme);
            if (!svg.isEmpty()) {
                Path file = folder.resolve(picture.name() + format.end);
                byte[] bytes = svg.getBytes(StandardCharsets.UTF_8);
                Files.write(file, format == PictureFormat.PNG ? Png.of(bytes) : bytes);
                files.add(file);
            }
        }
        return files;
    }

    /**
     * The first charts of a page as SVG, to be seen until a script has drawn them, or without scripts.
     *
     * @param tables the page's tables
     * @param theme its colours
     * @param name of a chart
     * @return an element; empty for a chart that only a script draws
     */
    public static String sketch(List<Table> tables, Theme theme, String name) {
        if (!SKETCHED.contains(name)) {
            return "";
        }
        return of(tables, theme, true).stream()
                .filter(picture -> picture.name().equals(name))
                .map(picture -> picture.sketch(theme))
                .collect(Collectors.joining());
    }

    private static List<Picture> of(List<Table> tables, Theme theme, boolean small) {
        List<Picture> pictures = new ArrayList<>(RunPictures.of(tables, theme, small));
        pictures.addAll(SweepPictures.of(tables, theme));
        pictures.addAll(ComparisonPictures.of(tables, theme));
        return pictures;
    }

    /** A runtime without native libraries, or a machine without fonts, fails in many ways. */
    static void checkFonts() throws IOException {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getStringBounds("0", new FontRenderContext(null, true, true));
        } catch (LinkageError | InternalError | RuntimeException e) {
            throw new IOException(
                    "pictures need fonts, which this machine or its Java runtime lacks; on Debian"
                            + " fontconfig and fonts-dejavu-core have them ("
                            + e
                            + ")",
                    e);
        }
    }
}
