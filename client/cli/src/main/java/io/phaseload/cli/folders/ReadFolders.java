package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked;
import io.phaseload.options.UsageException;
import io.phaseload.report.RunPage;
import io.phaseload.report.TextFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.rows.TrialCsv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folders that a command reads. It must not overwrite what a run or a sweep wrote there.
 *
 * @param folders with symbolic links resolved
 */
public record ReadFolders(List<Path> folders) {

    /** The files of a run, of a sweep, and of a sweep's trials. */
    private static final Set<String> FILES = Stream.of(
                    ResultFolder.FILES, TextFiles.NAMES, List.of(RunPage.FILE, SweepJson.FILE, TrialCsv.FILE))
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** Those that exist; reading a folder that doesn't exist is an error of its own. */
    public static ReadFolders of(String command, List<String> folders) {
        List<Path> real = new ArrayList<>();
        for (String folder : folders) {
            Path path = Checked.value(command, folder, Path::of, "a results folder");
            if (Files.exists(path)) {
                real.add(real(path));
            }
        }
        return new ReadFolders(real);
    }

    /** Returns the file, unless it would overwrite one in a folder that is read. */
    public OutputFile protect(OutputFile file) {
        if (file.path() == null || !Files.exists(file.path())) {
            return file;
        }
        Path real = real(file.path());
        if (FILES.contains(real.getFileName().toString()) && isWithin(real)) {
            throw new UsageException("%s %s: expected another file: this one is part of a folder that is read"
                    .formatted(file.option(), file.path()));
        }
        return file;
    }

    /** Refuses a folder to write that is within one that is read. */
    public void checkOutside(String option, String folder) {
        if (folder == null) {
            return;
        }
        Path path = Checked.value(option, folder, Path::of, "a folder's name").toAbsolutePath();
        Path existing = path.normalize();
        while (!Files.exists(existing)) {
            existing = existing.getParent();
        }
        UsageException.throwIf(
                isWithin(real(existing)), "%s %s: expected a folder outside of those that are read", option, folder);
    }

    private boolean isWithin(Path real) {
        return folders.stream().anyMatch(real::startsWith);
    }

    private static Path real(Path path) {
        return Checked.file(path.toString(), "a path that can be read", path::toRealPath);
    }
}
