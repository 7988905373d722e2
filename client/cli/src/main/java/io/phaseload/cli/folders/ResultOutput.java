package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked.FileSource;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.terminal.Display;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.files.AtomicFile;
import io.phaseload.files.FileProblem;
import io.phaseload.report.RunPage;
import io.phaseload.report.TextFiles;
import io.phaseload.report.text.TextReport;
import io.phaseload.result.Result;
import io.phaseload.result.json.ResultJson;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Prints a result and writes its files, in this order: a full disk must not lose it. */
public record ResultOutput(Console console, boolean json, Display display) {

    /** Prints the report; with {@code --json}, the JSON to standard output, all else to error. */
    public void print(Result result) {
        if (json) {
            console.err().print(TextReport.summary(result));
            console.print(ResultJson.write(result));
        } else {
            console.out().print(display.paint(TextReport.summary(result, Terminal.columns())));
        }
    }

    /** Writes the files and says where they are. */
    public void write(Result result, ResultFolder folder) throws IOException {
        folder.write(result);
        writeFiles(result, folder.path(), console.err());
        console.text(json).println("Results: " + folder.path());
    }

    /** Writes the texts and the page of a run whose result and intervals are in its folder. */
    public static void writeFiles(Result result, Path folder, PrintStream err) throws IOException {
        TextFiles.write(folder, result);
        writePage(folder, () -> RunPage.write(result, StoredRun.intervals(folder, result)), err);
    }

    /** The page repeats what is in other files: without it nothing is lost. */
    public static void writePage(Path folder, FileSource<String> page, PrintStream err) {
        try {
            AtomicFile.write(folder.resolve(RunPage.FILE), page.get());
        } catch (IOException | RuntimeException e) {
            err.println("The page couldn't be written to " + folder + ": " + FileProblem.of(e));
        }
    }
}
