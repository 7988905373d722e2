package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.ReadFolders;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.folders.SweepOutput;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.terminal.Display;
import io.phaseload.files.AtomicFile;
import io.phaseload.options.UsageException;
import io.phaseload.result.Result;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.MergedRun;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.rows.TrialCsv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload merge}: combines runs of the same requests into one. */
public final class MergeCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "results folders, or sweeps' folders")
    private List<String> folders = new ArrayList<>();

    @Option(name = "--out", aliases = "-o")
    private String folder;

    @Option(name = "--json")
    private boolean json;

    @Override
    public int execute(Console console) {
        UsageException.throwIf(folders.size() < 2, "merge: expected two or more results folders");
        ReadFolders.of("merge", folders).checkOutside("--out", folder);
        return Sweeps.areAll("merge", folders) ? mergeSweeps(console) : mergeRuns(console);
    }

    private int mergeSweeps(Console console) {
        SweepResult merged = Sweeps.read("merge", folders, List.of());
        Path folder = Folders.make(this.folder, "merged").path();
        try {
            TrialCsv.write(folder, merged.trials());
            AtomicFile.write(folder.resolve(SweepJson.FILE), SweepJson.write(merged));
            new SweepOutput(console, json)
                    .write(folder, merged, folders.stream().map(Path::of).toList());
            return ExitCode.PASSED;
        } catch (IOException e) {
            return Folders.notWritten(folder, e, console.err());
        }
    }

    private int mergeRuns(Console console) {
        MergedRun merged = merged();
        ResultFolder folder = Folders.make(this.folder, "merged");
        Result result = merged.result();
        ResultOutput output = new ResultOutput(console, json, Display.of(console.color()));
        output.print(result);
        try (IntervalFiles files = new IntervalFiles(
                folder.path(), merged.plan().scenario(), merged.plan().serverFigures())) {
            files.runStarted(merged.startedAt());
            merged.intervals().forEach(files::interval);
            if (files.failure().isPresent()) {
                throw files.failure().get();
            }
            output.write(result, folder);
            return ExitCode.ofStored(result);
        } catch (IOException e) {
            return Folders.notWritten(folder.path(), e, console.err());
        }
    }

    private MergedRun merged() {
        List<StoredRun> runs = new ArrayList<>();
        for (String folder : folders) {
            runs.add(Folders.read("merge", folder));
        }
        return Checked.value("merge", String.join(" ", folders), shown -> new MergedRun(runs), "runs of the same plan");
    }
}
