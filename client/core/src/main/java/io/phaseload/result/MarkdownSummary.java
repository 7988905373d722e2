package io.phaseload.result;

import java.util.Locale;

/**
 * A result as Markdown, short enough for a pull request or the summary of a job: verdict, headline
 * figures, thresholds, failures by cause.
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
        summary.figures();
        summary.thresholds();
        summary.failures();
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
        line("**Measurement " + result.verdict().status() + thresholds + "**");
        if (!result.verdict().reasons().isEmpty()) {
            line("");
            result.verdict().reasons().forEach(reason -> line("- " + text(reason)));
        }
    }

    private void figures() {
        line("");
        line("| phase | threads | requests | failed | rps | mean ms | p50 | p95 | p99 | max |");
        line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (PhaseResult phase : result.phases()) {
            row(phase.name(), Integer.toString(phase.threads()), phase.figures());
        }
        row("**all**", "", result.totals());
    }

    private void row(String name, String threads, Figures figures) {
        Latency response = figures.response();
        line(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %d (%.2f %%) | %.1f | %s | %s | %s | %s | %s |",
                        name,
                        threads,
                        figures.requests(),
                        figures.failed(),
                        figures.failedPercent(),
                        figures.requestsPerSecond(),
                        TextReport.millis(response.mean(), response),
                        TextReport.millis(response.p50(), response),
                        TextReport.millis(response.p95(), response),
                        TextReport.millis(response.p99(), response),
                        TextReport.millis(response.max(), response)));
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
        line("");
        if (result.totals().failures().isEmpty()) {
            line("No failures.");
            return;
        }
        line("| failures by cause | count |");
        line("|---|---:|");
        result.totals()
                .failures()
                .forEach((cause, count) -> line("| " + text(cause) + " | " + count + " |"));
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String text(String text) {
        return Markdown.text(text);
    }
}
