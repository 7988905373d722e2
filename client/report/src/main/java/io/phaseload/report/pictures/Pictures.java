package io.phaseload.report.pictures;

import io.phaseload.report.cells.Table;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws tables to files, without a browser or a screen. */
public final class Pictures {

    /** The format of a file. */
    public enum Format {
        /** Pixels, two per point. */
        PNG(".png"),
        /** Shapes. */
        SVG(".svg");

        private final String end;

        Format(String end) {
            this.end = end;
        }
    }

    private Pictures() {}

    /**
     * Draws the charts of a run, a sweep or a comparison.
     *
     * @param tables its tables
     * @param about of what and when, for each picture
     * @param folder created if missing; files of the same names are replaced
     * @param format of the files
     * @return the files
     * @throws IOException if they can't be written, or this machine has no fonts
     */
    public static List<Path> draw(List<Table> tables, String about, Path folder, Format format) throws IOException {
        checkFonts();
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        List<Picture> pictures = new ArrayList<>(RunPictures.of(tables));
        pictures.addAll(SweepPictures.of(tables));
        pictures.addAll(ComparisonPictures.of(tables));
        for (Picture picture : pictures) {
            Path file = folder.resolve(picture.name() + format.end);
            Files.write(file, format == Format.PNG ? picture.png(about) : picture.svg(about));
            files.add(file);
        }
        return files;
    }

    /** A runtime without native libraries, or a machine without fonts, fails in many ways. */
    private static void checkFonts() throws IOException {
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
