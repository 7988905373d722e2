package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.Checked.FileSource;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Results folders by the names that users give. */
public final class Folders {

    private Folders() {}

    /** Makes the folder of {@code --out}, or a new one under {@code results}. */
    public static ResultFolder make(String out, String name) {
        Path path = Checked.value("--out", out == null ? "results" : out, Path::of, "a folder's name");
        return writable(path, () -> {
            try {
                return out == null ? ResultFolder.create(path, Instant.now(), name) : ResultFolder.at(path);
            } catch (FileAlreadyExistsException e) {
                UsageException.throwIf(
                        Files.isDirectory(path), "--out %s: expected a folder that is new or empty", path);
                throw e;
            }
        });
    }

    /** Begins to write into the folder of {@code --out}. */
    public static <T> T writable(Path folder, FileSource<T> write) {
        return Checked.file("--out " + folder, "a folder that can be written to", write);
    }

    /** Reports that results couldn't be written, and returns the exit code. */
    public static int notWritten(Path folder, IOException why, PrintStream err) {
        err.println("The results couldn't be written to " + folder + ": " + FileProblem.of(why));
        return ExitCode.INTERNAL_ERROR;
    }

    /**
     * The folders of runs that an argument stands for: itself, the folders that it lists, or all runs in a folder, by
     * name.
     */
    public static List<String> ofRuns(String command, String argument) {
        List<String> folders = new ArrayList<>();
        for (String part : isRun(argument) ? List.of(argument) : List.of(argument.split(",", -1))) {
            Path path = Checked.value(command, part, Path::of, "a results folder");
            if (isRun(part) || !Files.isDirectory(path)) {
                folders.add(part);
                continue;
            }
            List<String> runs = Checked.file(command + " " + part, "a folder that can be read", () -> {
                try (Stream<Path> entries = Files.list(path)) {
                    return entries.map(Path::toString)
                            .filter(Folders::isRun)
                            .sorted()
                            .toList();
                }
            });
            // A folder without runs is read as a run, which says what is missing.
            folders.addAll(runs.isEmpty() ? List.of(part) : runs);
        }
        return folders;
    }

    /** The folders of runs below a folder, or itself; folders within a run's are not. */
    public static List<String> below(String command, String folder) {
        Path top = Checked.value(command, folder, Path::of, "a folder");
        List<String> runs = new ArrayList<>();
        SimpleFileVisitor<Path> visitor = new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                if (isRun(path.toString())) {
                    runs.add(path.toString());
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }
        };
        Checked.file(command + " " + folder, "a folder that can be read", () -> Files.walkFileTree(top, visitor));
        runs.sort(Comparator.naturalOrder());
        return runs;
    }

    private static boolean isRun(String folder) {
        try {
            return Files.isRegularFile(Path.of(folder, "result.json"));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Reads the run of a folder that was given to a command. */
    public static StoredRun read(String command, String folder) {
        Path path = Checked.value(command, folder, Path::of, "a results folder");
        return Checked.file(command + " " + folder, "a results folder", () -> StoredRun.read(path));
    }
}
