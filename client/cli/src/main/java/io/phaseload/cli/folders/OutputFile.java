package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.Checked.FileSource;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.files.AtomicFile;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file of an option such as {@code --junit} or {@code --html}. An existing file is replaced.
 *
 * @param option its name
 * @param path the place where it will be; {@code null} if none is wanted
 */
public record OutputFile(String option, Path path) {

    /** Checks now whether it can be written, not when the run is over. */
    public static OutputFile of(String option, String value) {
        if (value == null) {
            return new OutputFile(option, null);
        }
        Path path = Checked.value(option, value, Path::of, "a file's name").toAbsolutePath();
        if (path.getParent() != null && !Files.isDirectory(path.getParent())) {
            throw new UsageException(option + " " + value + ": expected a file in a folder that exists");
        }
        if (Files.isDirectory(path) || !Files.isWritable(path.getParent())) {
            throw notWritable(option, value);
        }
        return new OutputFile(option, path);
    }

    private static UsageException notWritable(String option, String value) {
        return new UsageException(option + " " + value + ": expected a file that can be written");
    }

    /** Writes the file; returns the code, or another one if it can't be written after all. */
    public int write(FileSource<String> content, int code, PrintStream err) {
        return writeBytes(() -> content.get().getBytes(StandardCharsets.UTF_8), code, err);
    }

    /** The same for a file that isn't text. */
    public int writeBytes(FileSource<byte[]> content, int code, PrintStream err) {
        if (path == null) {
            return code;
        }
        try {
            byte[] bytes = content.get();
            AtomicFile.publish(path, out -> out.write(bytes));
            return code;
        } catch (IOException e) {
            err.println(option + " " + path + ": couldn't be written: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }
}
