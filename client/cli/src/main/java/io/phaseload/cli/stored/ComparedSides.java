package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.ReadFolders;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.compare.Side;
import io.phaseload.options.UsageException;
import io.phaseload.report.tables.runs.SweepAxes;
import io.phaseload.result.store.StoredRun;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sides to compare: runs, or several runs as the trials of a side, or sweeps, step by step.
 *
 * @param arguments one per side
 * @param force true if steps are left out that some of the sweeps lack
 */
record ComparedSides(List<String> arguments, boolean force) {

    /** The sides to compare; for sweeps, one list per step. */
    List<List<Side>> read() {
        return arguments.stream().anyMatch(Sweeps::isOne) ? steps() : List.of(runs());
    }

    /** The folders that are read. */
    ReadFolders folders() {
        List<String> folders = new ArrayList<>();
        for (String side : arguments) {
            folders.addAll(Sweeps.isOne(side) ? List.of(side) : Folders.ofRuns("compare", side));
        }
        return ReadFolders.of("compare", folders);
    }

    private List<Side> runs() {
        List<Side> sides = new ArrayList<>();
        for (String side : arguments) {
            sides.add(read(side, side));
        }
        return sides;
    }

    /** For each step, one side per sweep. */
    private List<List<Side>> steps() {
        List<NamedSweep> sweeps = new ArrayList<>();
        for (String side : arguments) {
            UsageException.throwIf(
                    !Sweeps.isOne(side), "compare %s: expected a sweep's folder, as another side is", side);
            sweeps.add(steps(side));
        }
        List<List<Side>> all = new ArrayList<>();
        Set<Map<String, String>> seen = new HashSet<>();
        for (NamedSweep sweep : sweeps) {
            for (Step step : sweep.steps()) {
                if (seen.add(step.values())) {
                    all.add(step(sweeps, step));
                }
            }
        }
        all.removeIf(List::isEmpty);
        UsageException.throwIf(
                all.isEmpty(), "compare %s: expected sweeps that have a step in common", String.join(" ", arguments));
        return all;
    }

    private List<Side> step(List<NamedSweep> sweeps, Step step) {
        List<Side> sides = new ArrayList<>();
        for (NamedSweep sweep : sweeps) {
            Optional<Path> folder = sweep.folder(step);
            if (folder.isPresent()) {
                sides.add(read(sweep.name() + " " + step, folder.get().toString()));
            } else if (force) {
                return List.of();
            } else {
                throw new UsageException(
                        "compare %s: expected the same steps in all sweeps, or --force;".formatted(sweep.name())
                                + " it has none with "
                                + step);
            }
        }
        return sides;
    }

    private static NamedSweep steps(String side) {
        Path path = Path.of(side);
        SweepResult sweep = Checked.file("compare " + side, "a sweep's folder", () -> SweepJson.read(path));
        return new NamedSweep(
                side,
                path,
                sweep.steps().stream().sorted(SweepAxes.order(sweep)).toList());
    }

    /**
     * A sweep as the user named it.
     *
     * @param steps numbers by size
     */
    private record NamedSweep(String name, Path path, List<Step> steps) {

        /** The folder of the step with the same values, if it was run. */
        Optional<Path> folder(Step like) {
            return steps.stream()
                    .filter(step -> step.values().equals(like.values()))
                    .map(step -> path.resolve(step.folder()))
                    .filter(Files::isDirectory)
                    .findFirst();
        }
    }

    private static Side read(String name, String argument) {
        List<Side.Trial> trials = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String folder : Folders.ofRuns("compare", argument)) {
            StoredRun run = Folders.read("compare", folder);
            if (!seen.add(run.runId())) {
                throw new UsageException("compare %s: expected different runs as trials of a side; %s is there twice"
                        .formatted(argument, run.runId()));
            }
            trials.add(new Side.Trial(folder, run));
        }
        return new Side(name, trials);
    }
}
