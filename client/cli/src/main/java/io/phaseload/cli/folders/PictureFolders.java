package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import io.phaseload.report.cells.Table;
import io.phaseload.report.pictures.Pictures;
import io.phaseload.report.pictures.Pictures.PictureFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folders of {@code --png} and {@code --svg}. Existing pictures are replaced.
 *
 * @param folders by the format of their pictures
 */
record PictureFolders(Map<PictureFormat, Path> folders) {

    /** Checks now whether they can be written to, before everything else is done. */
    static PictureFolders of(String png, String svg) {
        Map<PictureFormat, Path> folders = new LinkedHashMap<>();
        add(folders, PictureFormat.PNG, "--png", png);
        add(folders, PictureFormat.SVG, "--svg", svg);
        return new PictureFolders(folders);
    }

    private static void add(Map<PictureFormat, Path> folders, PictureFormat format, String option, String value) {
        if (value == null) {
            return;
        }
        Path folder = Checked.value(option, value, Path::of, "a folder's name");
        Checked.file(option + " " + value, "a folder that can be written to", () -> Files.createDirectories(folder));
        UsageException.throwIf(
                !Files.isWritable(folder), "%s %s: expected a folder that can be written to", option, value);
        folders.put(format, folder);
    }

    /** Draws them; returns the code, or another one if they can't be written after all. */
    int write(List<Table> tables, String about, int code, PrintStream err) {
        if (folders.isEmpty()) {
            return code;
        }
        // Otherwise a desktop would show an icon for the program.
        System.setProperty("java.awt.headless", "true");
        for (Map.Entry<PictureFormat, Path> wanted : folders.entrySet()) {
            try {
                Pictures.draw(tables, about, wanted.getValue(), wanted.getKey());
            } catch (IOException e) {
                err.printf("The pictures couldn't be written to %s: %s%n", wanted.getValue(), FileProblem.of(e));
                return ExitCode.INTERNAL_ERROR;
            }
        }
        return code;
    }
}
