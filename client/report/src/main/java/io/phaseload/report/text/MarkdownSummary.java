package io.phaseload.report.text;

import io.phaseload.report.cells.Table;
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
        summary.thresholds();
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
            line("");
            line("**No request succeeded: all " + result.totals().requests() + " failed**");
        }
        line("");
        line("**Measurement " + result.verdict().status() + thresholds + "**");
        result.proof().ifPresent(proof -> {
            line("");
            line(Markdown.text(ProofLines.sentence(proof)));
        });
        if (!result.verdict().findings().isEmpty()) {
            line("");
            out.append(Markdown.list(result.verdict().texts()));
        }
        diagnoses();
    }

    private void diagnoses() {
        List<String> found = DiagnosisLines.of(result).stream()
                .map(DiagnosisLines.Line::toString)
                .toList();
        line("");
        if (found.isEmpty()) {
            line("Diagnosis: " + DiagnosisLines.none(result));
        } else {
            line("**Diagnosis**");
            line("");
            out.append(Markdown.list(found));
        }
    }

    private void figures() {
        String labels = SetUpLines.labels(result.plan());
        line("");
        line(Markdown.text(SetUpLines.url(result))
                + ", started "
                + SetUpLines.startedAt(result)
                + (labels.isEmpty() ? "" : ", " + Markdown.text(labels)));
        line("");
        out.append(Markdown.table(ResultTables.summary(result)));
        Table journeys = ResultTables.journeys(result);
        if (!journeys.isEmpty()) {
            line("");
            out.append(Markdown.table(journeys));
        }
        Table streams = StreamTable.of(result);
        if (!streams.isEmpty()) {
            line("");
            out.append(Markdown.table(streams));
        }
        List<String> lines = new ArrayList<>();
        lines.add("Measured phases: " + String.join(", ", result.measuredPhases()));
        if (result.measured().failed() > 0) {
            lines.add("Throughput by outcome, measured: " + RequestLines.outcomes(result.measured()));
        }
        lines.addAll(RequestLines.of(result));
        line("");
        out.append(Markdown.list(lines));
    }

    private void thresholds() {
        if (!result.thresholds().isEmpty()) {
            line("");
            out.append(Markdown.table(ResultTables.thresholds(result)));
        }
    }

    private void failures() {
        Table causes = ResultTables.causes(result);
        line("");
        out.append(causes.isEmpty() ? "No failures.\n" : Markdown.table(causes));
        FailureLines.of(result).forEach(warning -> line("\n" + Markdown.text(warning)));
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
