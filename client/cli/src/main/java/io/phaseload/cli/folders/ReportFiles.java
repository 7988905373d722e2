package io.phaseload.cli.folders;

import io.phaseload.cli.command.Checked.FileSource;
import io.phaseload.report.cells.Table;
import io.phaseload.report.junit.JUnitXml;
import io.phaseload.report.junit.TestSuite;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import org.kohsuke.args4j.Option;

/** The files that can be written with the text of a report. */
public record ReportFiles(OutputFile html, OutputFile data, PictureFolders pictures, OutputFile junit) {

    /** The options that ask for them. */
    public static final class ReportFileOptions {

        private static final String PICTURES = "charts as pictures, in a folder";

        @Option(name = "--html")
        private String html;

        @Option(name = "--data")
        private String data;

        @Option(name = "--png")
        private String png;

        @Option(name = "--svg")
        private String svg;

        @Option(name = "--junit")
        private String junit;

        public boolean hasJunit() {
            return junit != null;
        }
    }

    /** Checks now whether they can be written. */
    public static ReportFiles of(ReadFolders read, ReportFileOptions asked) {
        return new ReportFiles(
                read.protect(OutputFile.of("--html", asked.html)),
                read.protect(OutputFile.of("--data", asked.data)),
                PictureFolders.of(asked.png, asked.svg),
                read.protect(OutputFile.of("--junit", asked.junit)));
    }

    /**
     * Writes them, with {@code about} in each picture; returns the code, or another one if a file can't be written
     * after all.
     */
    public int write(
            FileSource<String> page,
            String about,
            Supplier<List<Table>> tables,
            FileSource<List<TestSuite>> suites,
            int code,
            PrintStream err) {
        // Made once for both: a long run's tables take seconds.
        boolean wanted = data.path() != null || !pictures.folders().isEmpty();
        List<Table> made = wanted ? tables.get() : List.of();
        int after = html.write(page, code, err);
        after = data.write(() -> Table.json(made), after, err);
        after = pictures.write(made, about, after, err);
        return junit.write(() -> JUnitXml.write(suites.get()), after, err);
    }
}
