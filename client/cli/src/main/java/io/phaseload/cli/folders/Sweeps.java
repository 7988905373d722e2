package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked;
import io.phaseload.options.UsageException;
import io.phaseload.sweep.MergedSweeps;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Derived;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the sweeps that a command's arguments name, as one. */
public final class Sweeps {

    private Sweeps() {}

    /**
     * Reads them.
     *
     * @param command names them in messages
     * @param folders of sweeps, one or more
     * @param definitions of columns that are computed, in this order
     */
    public static SweepResult read(String command, List<String> folders, List<String> definitions) {
        List<SweepResult> all = new ArrayList<>();
        for (String folder : folders) {
            Path path = Checked.value(command, folder, Path::of, "a sweep's folder");
            all.add(Checked.file(command + " " + folder, "a sweep's folder", () -> SweepResult.read(path)));
        }
        SweepResult sweep = Checked.value(
                command, String.join(" ", folders), shown -> MergedSweeps.of(all), "sweeps that can be merged");
        for (String definition : definitions) {
            SweepResult before = sweep;
            sweep = Checked.value(
                    "--derive", definition, shown -> before.with(Derived.parse(shown)), "name=expression");
        }
        return sweep;
    }

    /** Whether an argument names a sweep's folder. */
    public static boolean isOne(String argument) {
        try {
            return Files.isRegularFile(Path.of(argument, SweepJson.FILE));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Whether the folders are sweeps; a mix of runs and sweeps is refused. */
    public static boolean areAll(String command, List<String> folders) {
        List<String> sweeps = folders.stream().filter(Sweeps::isOne).toList();
        if (!sweeps.isEmpty() && sweeps.size() < folders.size()) {
            throw new UsageException(
                    "%s: expected folders of runs or of sweeps, not both; %s is a sweep", command, sweeps.get(0));
        }
        return !sweeps.isEmpty();
    }
}
