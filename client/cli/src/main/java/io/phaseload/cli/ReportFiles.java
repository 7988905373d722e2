package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.report.JUnitXml;
import io.phaseload.report.Table;
import io.phaseload.report.TestSuite;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What is written beside the text of a report, where it is asked for. */
record ReportFiles(NamedFile html, NamedFile data, PictureFolders pictures, NamedFile junit) {

    /** Something that is made only if it is wanted. */
    interface Of<T> {
        T get() throws IOException;
    }

    /** Finds out now which of them couldn't be written; {@code null} is for what isn't wanted. */
    static ReportFiles of(String html, String data, String png, String svg, String junit)
            throws UsageException {
        return new ReportFiles(
                NamedFile.of("--html", html),
                NamedFile.of("--data", data),
                PictureFolders.of(png, svg),
                NamedFile.of("--junit", junit));
    }

    /** The exit code, which is another one if something can't be written after all. */
    int write(
            NamedFile.Content page,
            Of<List<Table>> tables,
            Of<List<TestSuite>> suites,
            int code,
            PrintStream err) {
        int after = html.write(page, code, err);
        after = data.write(() -> Table.json(tables.get()), after, err);
        after = pictures.write(tables::get, after, err);
        return junit.write(() -> JUnitXml.write(suites.get()), after, err);
    }
}
