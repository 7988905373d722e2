package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.GeneralOptions;
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
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload merge}: combines runs of the same requests into one. */
public final class MergeCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "results folders, or sweeps' folders")
    private List<String> folders = new ArrayList<>();

    @Option(
            name = "--out",
            aliases = "-o",
            metaVar = "DIR",
            usage = "the folder to write, new or empty (results/<time>-merged)")
    private String folder;

    @Option(name = "--json", usage = "the result as JSON on standard output, all else on standard error")
    private boolean json;

    private final GeneralOptions general = new GeneralOptions();
    private final PrintStream out;
    private final PrintStream err;

    public MergeCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public GeneralOptions general() {
        return general;
    }

    @Override
    public int execute() {
        UsageException.throwIf(folders.size() < 2, "merge: expected two or more results folders");
        ReadFolders.of("merge", folders).checkOutside("--out", folder);
        return Sweeps.areAll("merge", folders) ? mergeSweeps() : mergeRuns();
    }

    private int mergeSweeps() {
        SweepResult merged = Sweeps.read("merge", folders, List.of());
        Path folder = Folders.make(this.folder, "merged").path();
        try {
            TrialCsv.write(folder, merged.trials());
            AtomicFile.write(folder.resolve(SweepJson.FILE), SweepJson.write(merged));
            new SweepOutput(out, err, json)
                    .write(folder, merged, folders.stream().map(Path::of).toList());
            return ExitCode.PASSED;
        } catch (IOException e) {
            return Folders.notWritten(folder, e, err);
        }
    }

    private int mergeRuns() {
        MergedRun merged = merged();
        ResultFolder folder = Folders.make(this.folder, "merged");
        Result result = merged.result();
        ResultOutput output = new ResultOutput(out, err, json, Display.of(general.color()));
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
            return Folders.notWritten(folder.path(), e, err);
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
