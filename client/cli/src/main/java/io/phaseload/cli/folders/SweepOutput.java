package io.phaseload.cli.folders;

import io.phaseload.cli.command.Console;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.report.RunPage;
import io.phaseload.report.SweepPage;
import io.phaseload.report.TextFiles;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.text.runs.SweepReport;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Prints the result of a sweep, then writes it into its folder. */
public record SweepOutput(Console console, boolean json) {

    /**
     * Writes all files but {@code sweep.json} and {@code trials.csv}, which exist by then.
     *
     * @param folder to write to
     * @param read the folders of the sweeps that the trials are in; those of {@code folder} get pages of their own
     */
    public void write(Path folder, SweepResult sweep, List<Path> read) throws IOException {
        PrintStream text = console.text(json);
        text.print(SweepReport.write(sweep, json ? TextTable.WIDE : Terminal.columns()));
        if (json) {
            console.print(SweepJson.write(sweep));
        }
        TextFiles.write(folder, sweep);
        TrialPages pages = TrialPages.of(read);
        if (read.contains(folder)) {
            pages.write(console.err());
        }
        ResultOutput.writePage(
                folder, () -> SweepPage.write(sweep, pages.linksOf(folder.resolve(RunPage.FILE))), console.err());
        text.println("Results: " + folder);
    }
}
