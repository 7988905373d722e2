package io.phaseload.cli.folders;

import io.phaseload.report.RunPage;
import io.phaseload.result.store.StoredRun;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The pages of sweeps' trials.
 *
 * @param folders of the trials, by when they were measured: merged sweeps number them anew
 */
public record TrialPages(Map<String, Path> folders) {

    /**
     * Finds them.
     *
     * @param sweeps folders of sweeps
     * @throws IOException if one has no {@code trials.csv}
     */
    public static TrialPages of(List<Path> sweeps) throws IOException {
        Map<String, Path> folders = new LinkedHashMap<>();
        for (Path sweep : sweeps) {
            for (TrialRow row : TrialCsv.read(sweep).rows()) {
                if (!row.text("folder").isEmpty()) {
                    folders.put(row.text("measured_on"), sweep.toAbsolutePath().resolve(row.text("folder")));
                }
            }
        }
        return new TrialPages(folders);
    }

    /** Writes those that are missing. */
    void write(PrintStream err) {
        for (Path folder : folders.values()) {
            if (Files.isDirectory(folder) && !Files.exists(folder.resolve(RunPage.FILE))) {
                ResultOutput.writePage(
                        folder,
                        () -> {
                            StoredRun run = StoredRun.read(folder);
                            return RunPage.write(run.result(), run.intervals());
                        },
                        err);
            }
        }
    }

    /**
     * Links to them.
     *
     * @param page the file that will have the links
     * @return a trial's page, if it exists
     */
    public Function<TrialRow, Optional<String>> linksOf(Path page) {
        Path from = page.toAbsolutePath().normalize().getParent();
        return row -> Optional.ofNullable(folders.get(row.text("measured_on")))
                .map(folder -> folder.normalize().resolve(RunPage.FILE))
                .filter(Files::exists)
                .map(file -> link(from, file));
    }

    private static String link(Path from, Path to) {
        try {
            String path = from.relativize(to).toString().replace('\\', '/');
            // With a dot first, what is before a colon isn't taken for a scheme.
            return new URI(null, null, "./" + path, null).getRawPath();
        } catch (URISyntaxException | IllegalArgumentException e) {
            // On Windows, another drive.
            return to.toUri().toString();
        }
    }
}
