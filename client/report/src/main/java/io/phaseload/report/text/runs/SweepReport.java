package io.phaseload.report.text.runs;

import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.StepTables;
import io.phaseload.report.tables.runs.SweepTables;
import io.phaseload.sweep.SweepResult;

/** A sweep for people, as text and as Markdown: for each operation the table of medians, then how certain it is. */
public final class SweepReport {

    private SweepReport() {}

    /**
     * The report.
     *
     * @return lines that each end in a line feed
     */
    public static String write(SweepResult sweep) {
        return write(sweep, TextTable.WIDE);
    }

    /**
     * The report, with its tables folded to a width.
     *
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String write(SweepResult sweep, int columns) {
        Lines out = new Lines(columns);
        boolean several = sweep.info().trials() > 1;
        Table clients = StepTables.clients(sweep);
        Table more = several
                ? StepTables.medians(sweep)
                        .without("failed_percent")
                        .without("mean_ms")
                        .without("max_ms")
                : StepTables.withinRuns(sweep);
        for (String operation : SweepTables.operations(sweep)) {
            out.add(operation);
            out.add(of(operation, clients));
            Table own = of(operation, more);
            if (!own.isEmpty()) {
                out.add(
                        several
                                ? "Median of the trials [its interval; below 95 % with" + " fewer than 6]:"
                                : "Percentiles [95 % interval], by the number of independent samples that"
                                        + " each run is worth:");
                out.add(own);
            }
            out.add("");
        }
        out.add(SweepRemarks.of(sweep));
        return out.toString();
    }

    /**
     * The summary, for a pull request or the summary of a job.
     *
     * @return Markdown, lines that each end in a line feed
     */
    public static String markdown(SweepResult sweep) {
        StringBuilder out = new StringBuilder();
        out.append("## Phaseload: ").append(Markdown.text(sweep.name())).append('\n');
        Table clients = StepTables.clients(sweep);
        for (String operation : SweepTables.operations(sweep)) {
            out.append("\n### ").append(Markdown.text(operation)).append("\n\n");
            out.append(Markdown.table(of(operation, clients)));
        }
        return out.append('\n').append(Markdown.list(SweepRemarks.of(sweep))).toString();
    }

    private static Table of(String operation, Table table) {
        return table.where(StepTables.OPERATION, operation::equals).without(StepTables.OPERATION);
    }
}
