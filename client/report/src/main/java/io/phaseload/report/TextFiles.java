package io.phaseload.report;

import io.phaseload.ab.AbComparison;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.files.AtomicFile;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.text.MarkdownSummary;
import io.phaseload.report.text.TextReport;
import io.phaseload.report.text.runs.AbReport;
import io.phaseload.report.text.runs.CapacityReport;
import io.phaseload.report.text.runs.SweepReport;
import io.phaseload.result.Result;
import io.phaseload.sweep.SweepResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The texts in a results folder: {@code report.txt} for a terminal, {@code summary.md} for pull requests. Each is
 * written completely or not at all.
 */
public final class TextFiles {

    private static final String REPORT = "report.txt";
    private static final String SUMMARY = "summary.md";

    /** The names of the files, the same for runs and sweeps. */
    public static final List<String> NAMES = List.of(REPORT, SUMMARY);

    private TextFiles() {}

    /**
     * Writes the texts of a run.
     *
     * @param folder of the run
     * @param result of the run
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, Result result) throws IOException {
        write(folder, TextReport.write(result), MarkdownSummary.write(result));
    }

    /**
     * Writes the texts of a sweep.
     *
     * @param folder of the sweep
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, SweepResult sweep) throws IOException {
        write(folder, SweepReport.write(sweep), SweepReport.markdown(sweep));
    }

    /**
     * Writes the texts of a search for a capacity.
     *
     * @param folder of the search
     * @param result the search
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, CapacityResult result) throws IOException {
        write(folder, CapacityReport.text(result, TextTable.WIDE), CapacityReport.markdown(result));
    }

    /**
     * Writes the texts of a comparison of interleaved runs.
     *
     * @param folder of the comparison
     * @param comparison the comparison
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, AbComparison comparison) throws IOException {
        write(folder, AbReport.text(comparison, TextTable.WIDE), AbReport.markdown(comparison));
    }

    private static void write(Path folder, String report, String summary) throws IOException {
        AtomicFile.write(folder.resolve(REPORT), report);
        AtomicFile.write(folder.resolve(SUMMARY), summary);
    }
}
