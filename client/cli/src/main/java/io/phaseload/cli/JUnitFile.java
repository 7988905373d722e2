package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.report.JUnitXml;
import io.phaseload.report.TestSuite;
import io.phaseload.result.AtomicFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file of {@code --junit}. One that is there is replaced, as test reports are.
 *
 * @param path where it will be; {@code null} if none is wanted
 */
record JUnitFile(Path path) {

    /** What is to be told; asked for when it is known, and only if it is wanted. */
    interface Suites {
        List<TestSuite> get() throws IOException;
    }

    /** Finds out now what would else be found out when a run is over. */
    static JUnitFile of(String option) throws UsageException {
        if (option == null) {
            return new JUnitFile(null);
        }
        Path path = Checked.value("--junit", option, Path::of, "a file's name").toAbsolutePath();
        try {
            Files.createDirectories(path.getParent());
        } catch (IOException e) {
            throw notWritable(option);
        }
        if (Files.isDirectory(path) || !Files.isWritable(path.getParent())) {
            throw notWritable(option);
        }
        return new JUnitFile(path);
    }

    private static UsageException notWritable(String option) {
        return new UsageException("--junit " + option + ": expected a file that can be written");
    }

    /** The exit code, which is another one if the file can't be written after all. */
    int write(Suites suites, int code, PrintStream err) {
        if (path == null) {
            return code;
        }
        try {
            AtomicFile.write(path, JUnitXml.write(suites.get()));
            return code;
        } catch (IOException e) {
            err.println("--junit " + path + ": couldn't be written: " + e);
            return ExitCode.INTERNAL_ERROR;
        }
    }
}
