package io.phaseload.report.text;

import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.Secrets;
import io.phaseload.result.ThresholdResult;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * A result as Markdown, short enough for a pull request or the summary of a job: verdict, headline
 * figures, thresholds, failures by cause. A run without a success begins with its failures.
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
        summary.responses();
        summary.thresholds();
        if (!result.totals().allFailed()) {
            summary.failures();
        }
        return summary.out.toString();
    }

    private void headline() {
        long failed = result.thresholds().stream().filter(of -> !of.passed()).count();
        String thresholds =
                result.thresholds().isEmpty()
                        ? ""
                        : failed == 0 ? ", all thresholds held" : ", thresholds failed: " + failed;
        line("## Phaseload: " + text(result.plan().name()));
        line("");
        if (result.totals().allFailed()) {
            line("**No request succeeded: all " + result.totals().requests() + " failed**");
            line("");
        }
        line("**Measurement " + result.verdict().status() + thresholds + "**");
        if (!result.verdict().reasons().isEmpty()) {
            line("");
            result.verdict().reasons().forEach(reason -> line("- " + text(reason.text())));
        }
    }

    private void figures() {
        Plan plan = result.plan();
        line("");
        line(
                text(Secrets.redactQuery(plan.target().uri().toString()))
                        + ", started "
                        + result.startedAt().truncatedTo(ChronoUnit.SECONDS)
                        + (plan.labels().isEmpty() ? "" : ", " + text(SetUpLines.labels(plan))));
        line("");
        line("| phase | threads | requests | failed | rps | mean ms | p50 | p95 | p99 | max |");
        line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (PhaseResult phase : result.phases()) {
            row(phase.name(), Integer.toString(phase.threads()), phase.figures());
        }
        row("**measured**", "", result.measured());
        if (result.measured().failed() > 0) {
            successes();
        }
        if (result.measuredPhases().size() < result.phases().size()) {
            row("all", "", result.totals());
        }
        line("");
        line("Measured phases: " + text(String.join(", ", result.measuredPhases())) + ".");
    }

    private void row(String name, String threads, Figures figures) {
        String failed =
                String.format(
                        Locale.ROOT, "%d (%.2f %%)", figures.failed(), figures.failedPercent());
        row(
                name,
                threads,
                figures.requests(),
                failed,
                figures.requestsPerSecond(),
                figures.response());
    }

    private void successes() {
        Figures measured = result.measured();
        row(
                "its successes",
                "",
                measured.succeeded(),
                "",
                measured.succeededPerSecond(),
                measured.responseOfSuccesses());
    }

    private void row(
            String name,
            String threads,
            long requests,
            String failed,
            double perSecond,
            Latency response) {
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %s | %.1f | %s | %s | %s | %s | %s |",
                        name,
                        threads,
                        requests,
                        failed,
                        perSecond,
                        TextReport.millis(response.mean()),
                        TextReport.millis(response.p50()),
                        TextReport.millis(response.p95()),
                        TextReport.millis(response.p99()),
                        TextReport.millis(response.max())));
    }

    private void responses() {
        Figures totals = result.totals();
        line("");
        if (result.measured().failed() > 0) {
            line("- Throughput by outcome, measured: " + ResponseText.outcomes(result.measured()));
        }
        if (!totals.statuses().isEmpty()) {
            line("- Status codes: " + ResponseText.statuses(totals));
        }
        if (!totals.redirects().isEmpty()) {
            line("- " + ResponseText.redirects(totals));
        }
        line("- Received: " + ResponseText.received(totals));
        if (totals.resent() > 0) {
            line("- " + ResponseText.resent(totals));
        }
    }

    private void thresholds() {
        if (result.thresholds().isEmpty()) {
            return;
        }
        line("");
        line("| threshold | observed | |");
        line("|---|---|---|");
        for (ThresholdResult threshold : result.thresholds()) {
            line(
                    "| %s | %s | %s |"
                            .formatted(
                                    text(threshold.expression()),
                                    text(threshold.observedText()),
                                    threshold.passed() ? "PASS" : "**FAIL**"));
        }
    }

    private void failures() {
        List<FailureCount> failures = FailureCount.of(result);
        line("");
        if (failures.isEmpty()) {
            line("No failures.");
            return;
        }
        line("| failures by cause | phase | operation | count | percent | first message |");
        line("|---|---|---|---:|---:|---|");
        for (FailureCount failure : failures) {
            line(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %s | %d | %.2f | %s |",
                            text(failure.cause()),
                            failure.phase(),
                            text(failure.operation()),
                            failure.count(),
                            failure.percent(),
                            text(failure.first())));
        }
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String text(String text) {
        return Markdown.text(text);
    }
}
