package io.phaseload.report.text;

import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.tables.ResultTables;
import io.phaseload.report.tables.StreamTable;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * A result as Markdown, short enough for a pull request or the summary of a job: verdict, headline figures, thresholds,
 * failures by cause. A run without a success begins with its failures.
 */
public final class MarkdownSummary {

    private final Result result;
    private final StringBuilder out = new StringBuilder();

    private MarkdownSummary(Result result) {
        this.result = result;
    }

    /**
     * Writes the summary.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String write(Result result) {
        MarkdownSummary summary = new MarkdownSummary(result);
        summary.headline();
        if (result.totals().allFailed()) {
            summary.failures();
        }
        summary.figures();
        summary.table(ResultTables.thresholds(result));
        if (!result.totals().allFailed()) {
            summary.failures();
        }
        return summary.out.toString();
    }

    private void headline() {
        long failed = result.thresholds().stream().filter(of -> !of.passed()).count();
        String thresholds = result.thresholds().isEmpty()
                ? ""
                : failed == 0 ? ", all thresholds held" : ", thresholds: " + TextReport.counts(result.thresholds());
        line("## Phaseload: " + Markdown.text(result.plan().name()));
        if (result.totals().allFailed()) {
            paragraph("**No request succeeded: all " + result.totals().requests() + " failed**\n");
        }
        paragraph("**Measurement " + result.verdict().status() + thresholds + "**\n");
        result.proof().ifPresent(proof -> paragraph(Markdown.text(ProofLines.sentence(proof)) + "\n"));
        paragraph(Markdown.list(result.verdict().texts()));
        diagnoses();
    }

    private void diagnoses() {
        List<String> found = DiagnosisLines.of(result).stream()
                .map(DiagnosisLines.Line::toString)
                .toList();
        paragraph(
                found.isEmpty()
                        ? "Diagnosis: " + DiagnosisLines.none(result, "the verdict") + "\n"
                        : "**Diagnosis**\n\n" + Markdown.list(found));
    }

    private void figures() {
        String labels = SetUpLines.labels(result.plan());
        paragraph(Markdown.text(SetUpLines.url(result))
                + ", started "
                + SetUpLines.startedAt(result)
                + (labels.isEmpty() ? "" : ", " + Markdown.text(labels))
                + "\n");
        table(ResultTables.summary(result));
        table(ResultTables.journeys(result));
        table(StreamTable.of(result));
        List<String> lines = new ArrayList<>();
        lines.add("Measured phases: " + String.join(", ", result.measuredPhases()));
        if (result.measured().failed() > 0) {
            lines.add("Throughput by outcome, measured: " + RequestLines.outcomes(result.measured()));
        }
        lines.addAll(RequestLines.of(result));
        paragraph(Markdown.list(lines));
    }

    private void failures() {
        Table causes = ResultTables.causes(result);
        paragraph(causes.isEmpty() ? "No failures.\n" : Markdown.table(causes));
        FailureLines.of(result).forEach(warning -> paragraph(Markdown.text(warning) + "\n"));
    }

    private void table(Table table) {
        paragraph(table.isEmpty() ? "" : Markdown.table(table));
    }

    /** Lines that end in line feeds, below an empty one; none if there are none. */
    private void paragraph(String lines) {
        out.append(lines.isEmpty() ? "" : "\n" + lines);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
