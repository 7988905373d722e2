package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.result.ResultFolder;
import io.phaseload.result.StoredRun;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;

/** Results folders by the names that users give. */
final class Folders {

    private Folders() {}

    /** Makes the folder of {@code --out}, or a new one under {@code results}. */
    static ResultFolder make(String out, String name) throws UsageException {
        Path path =
                Checked.value("--out", out == null ? "results" : out, Path::of, "a folder's name");
        try {
            return out == null
                    ? ResultFolder.create(path, Instant.now(), name)
                    : ResultFolder.at(path);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--out " + path + ": expected a folder that is new or empty");
        } catch (IOException e) {
            throw notWritable(path, e);
        }
    }

    static UsageException notWritable(Path folder, IOException why) {
        return new UsageException(
                "--out " + folder + ": expected a folder that can be written to: " + why);
    }

    /** Reads the run of a folder that was given to a command. */
    static StoredRun read(String command, String folder) throws UsageException {
        Path path = Checked.value(command, folder, Path::of, "a results folder");
        try {
            return StoredRun.read(path);
        } catch (IOException e) {
            throw new UsageException(
                    "%s %s: expected a results folder: %s"
                            .formatted(command, folder, e.getMessage()));
        }
    }
}
