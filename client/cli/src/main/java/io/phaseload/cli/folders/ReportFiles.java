package io.phaseload.cli.folders;

import io.phaseload.options.UsageException;
import io.phaseload.report.JUnitXml;
import io.phaseload.report.TestSuite;
import io.phaseload.report.tables.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** The files that can be written with the text of a report. */
public record ReportFiles(
        OutputFile html, OutputFile data, PictureFolders pictures, OutputFile junit) {

    /** Checks now whether they can be written; {@code null} stands for none. */
    public static ReportFiles of(
            ReadFolders read, String html, String data, String png, String svg, String junit)
            throws UsageException {
        return new ReportFiles(
                read.protect(OutputFile.of("--html", html)),
                read.protect(OutputFile.of("--data", data)),
                PictureFolders.of(png, svg),
                read.protect(OutputFile.of("--junit", junit)));
    }

    /** Writes them; returns the code, or another one if a file can't be written after all. */
    public int write(
            OutputFile.Content<String> page,
            Supplier<List<Table>> tables,
            OutputFile.Content<List<TestSuite>> suites,
            int code,
            PrintStream err) {
        // Made once for both: a long run's tables take seconds.
        boolean wanted = data.path() != null || !pictures.folders().isEmpty();
        List<Table> made = wanted ? tables.get() : List.of();
        int after = html.write(page, code, err);
        after = data.write(() -> Table.json(made), after, err);
        after = pictures.write(made, after, err);
        return junit.write(() -> JUnitXml.write(suites.get()), after, err);
    }
}
