package io.phaseload.cli;

import io.phaseload.report.SweepPage;
import io.phaseload.result.AtomicFile;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepReport;
import io.phaseload.sweep.TrialRow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Where what a sweep came to goes: printed first, then into its folder. */
record SweepOutput(PrintStream out, PrintStream err, boolean json) {

    /** Writes all but {@code sweep.json} and {@code trials.csv}, which are there by then. */
    void write(Path folder, Sweep sweep, List<TrialRow> rows) throws IOException {
        PrintStream text = json ? err : out;
        String report = SweepReport.write(sweep, rows);
        text.print(json ? report : SweepReport.write(sweep, rows, Terminal.columns()));
        if (json) {
            // JSON is UTF-8, whatever the terminal's encoding.
            out.writeBytes(SweepJson.write(sweep, rows).getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        AtomicFile.write(folder.resolve("report.txt"), report);
        AtomicFile.write(folder.resolve("summary.md"), SweepReport.markdown(sweep, rows));
        ResultOutput.writePage(folder, () -> SweepPage.write(sweep, rows), err);
        text.println("Results: " + folder);
    }
}
