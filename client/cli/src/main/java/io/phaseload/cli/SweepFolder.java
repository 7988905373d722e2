package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.result.json.FileProblem;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.trials.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The steps of a sweep that was run.
 *
 * @param name as the user wrote it
 * @param path where it is
 * @param steps in the order of its grid
 */
record SweepFolder(String name, Path path, List<Step> steps) {

    /** Whether an argument names a sweep's folder. */
    static boolean isOne(String argument) {
        try {
            return Files.isRegularFile(Path.of(argument, SweepJson.FILE));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Reads which steps there are. */
    static SweepFolder read(String command, String argument) throws UsageException {
        Path path = Path.of(argument);
        try {
            return new SweepFolder(argument, path, SweepJson.read(path).steps());
        } catch (IOException e) {
            throw new UsageException(
                    "%s %s: expected a sweep's folder: %s"
                            .formatted(command, argument, FileProblem.of(e)));
        }
    }

    /** The step of the same values, if there is one that was run. */
    Optional<Path> folder(Step like) throws IOException {
        for (Step step : steps) {
            if (step.values().equals(like.values())) {
                Pattern name = Pattern.compile("step-0*" + step.number());
                try (Stream<Path> entries = Files.list(path)) {
                    return entries.filter(e -> name.matcher(e.getFileName().toString()).matches())
                            .findFirst();
                }
            }
        }
        return Optional.empty();
    }
}
