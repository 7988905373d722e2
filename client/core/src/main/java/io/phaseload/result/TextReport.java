package io.phaseload.result;

import io.phaseload.plan.PhaseLength;
import io.phaseload.result.PhaseResult.OperationResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A result as text for people. The lines down to {@code P99 Latency} keep their wording, since
 * scripts read them; numbers are written alike in every locale.
 */
public final class TextReport {

    private final Result result;
    private final StringBuilder out = new StringBuilder();

    private TextReport(Result result) {
        this.result = result;
    }

    /**
     * The first line.
     *
     * @param startedAt when the run began
     * @return a line without its end
     */
    public static String startLine(Instant startedAt) {
        return "Client starting.... Time: " + startedAt.toEpochMilli();
    }

    /**
     * The line at a phase's start.
     *
     * @param phase the phase's name
     * @param threads how many users run it
     * @return a line without its end
     */
    public static String phaseStartLine(String phase, int threads) {
        return format("%s phase: All threads(%d) running....", title(phase), threads);
    }

    /**
     * The line at a phase's end.
     *
     * @param phase the phase's name
     * @param wall how long it took
     * @return a line without its end
     */
    public static String phaseEndLine(String phase, Duration wall) {
        return format("%s phase complete: Time %.3f seconds", title(phase), seconds(wall));
    }

    /**
     * The whole report.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String write(Result result) {
        TextReport report = new TextReport(result);
        report.course();
        return report.out + summary(result);
    }

    /**
     * The report from {@code =====} on, without the lines that a run prints while it goes.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String summary(Result result) {
        TextReport report = new TextReport(result);
        report.totals();
        report.details();
        report.operations();
        report.failures();
        report.verdict();
        return report.out.toString();
    }

    private void course() {
        line(startLine(result.startedAt()));
        for (PhaseResult phase : result.phases()) {
            if (phase.startedAt() != null) {
                line(phaseStartLine(phase.name(), phase.threads()));
                line(phaseEndLine(phase.name(), phase.figures().wall()));
            }
        }
    }

    private void totals() {
        Figures totals = result.totals();
        Latency response = totals.response();
        line("=====");
        line("Total number of requests sent: " + totals.requests());
        line("Total number of Successful responses: " + totals.succeeded());
        line(format("Failed requests: %d (%.2f %%)", totals.failed(), totals.failedPercent()));
        line(format("Test Wall Time: %.3f seconds", seconds(totals.wall())));
        line(format("Overall throughput across all phases: %.2f rps.", totals.requestsPerSecond()));
        line("Mean Latency for all requests = " + millis(response.mean()) + " ms.");
        line("Median Latency = " + millis(response.p50()) + " ms.");
        line("P95 Latency = " + millis(response.p95()) + " ms.");
        line("P99 Latency = " + millis(response.p99()) + " ms.");
    }

    private void details() {
        Figures totals = result.totals();
        line("");
        if (totals.failed() > 0) {
            Latency ok = totals.responseOfSuccesses();
            line(
                    format(
                            "Over successful responses only: mean %s, median %s, p95 %s, p99 %s ms.",
                            millis(ok.mean()),
                            millis(ok.p50()),
                            millis(ok.p95()),
                            millis(ok.p99())));
        }
        if (totals.censored() > 0) {
            line(
                    format(
                            "Timeouts: %d; they are counted with their limit, which is a lower"
                                    + " bound.",
                            totals.censored()));
        }
        long asked = result.phases().stream().mapToLong(PhaseResult::asked).sum();
        if (asked > totals.requests()) {
            line(format("Not sent: %d of %d", asked - totals.requests(), asked));
        }
        Latency setUp = totals.connectionSetUp();
        line(
                format(
                        "Connections made: %d (mean %s, p99 %s, max %s ms each, not part of the"
                                + " latencies); %d remade after the server had closed them.",
                        setUp.samples(),
                        millis(setUp.mean()),
                        millis(setUp.p99()),
                        millis(setUp.max()),
                        totals.reconnects()));
        line(
                "Closed model: a user sends its next request when the last one has ended."
                        + (byTime() ? " Phases by time." : ""));
        Environment on = result.environment();
        line(
                format(
                        "Client: %s, %d cores, %s, JDK %s, %s threads.",
                        on.cpu() == null ? "unknown CPU" : on.cpu(),
                        on.cores(),
                        on.os(),
                        on.javaVersion(),
                        result.plan().virtualThreads() ? "virtual" : "platform"));
        if (result.target() != null) {
            line(
                    format(
                            "Target: %s; it counted %d requests.",
                            result.target().description(), result.target().requests()));
        }
    }

    private boolean byTime() {
        return result.plan().phases().stream()
                .anyMatch(phase -> phase.length() instanceof PhaseLength.Lasting);
    }

    private void operations() {
        TextTable table =
                new TextTable(
                        2,
                        "phase",
                        "operation",
                        "threads",
                        "requests",
                        "failed",
                        "rps",
                        "mean ms",
                        "p50",
                        "p95",
                        "p99",
                        "max");
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                addRow(table, phase, operation.name(), operation.figures());
            }
            if (phase.operations().size() > 1) {
                addRow(table, phase, "(all)", phase.figures());
            }
        }
        line("");
        table.appendTo(out);
    }

    private static void addRow(TextTable table, PhaseResult phase, String name, Figures figures) {
        Latency response = figures.response();
        table.row(
                phase.name(),
                name,
                Integer.toString(phase.threads()),
                Long.toString(figures.requests()),
                Long.toString(figures.failed()),
                format("%.1f", figures.requestsPerSecond()),
                millis(response.mean()),
                millis(response.p50()),
                millis(response.p95()),
                millis(response.p99()),
                millis(response.max()));
    }

    private void failures() {
        line("");
        if (result.totals().failures().isEmpty()) {
            line("Failures: none");
            return;
        }
        line("Failures by cause:");
        TextTable table = new TextTable(1, "  cause", "count", "percent");
        result.totals()
                .failures()
                .forEach(
                        (cause, count) ->
                                table.row(
                                        "  " + cause,
                                        count.toString(),
                                        format(
                                                "%.2f",
                                                100.0 * count / result.totals().requests())));
        table.appendTo(out);
        result.totals()
                .failureDetails()
                .forEach((cause, detail) -> line("  the first '" + cause + "' said: " + detail));
    }

    private void verdict() {
        line("");
        line("Verdict: " + result.verdict().status());
        result.verdict().reasons().forEach(reason -> line("  " + reason));
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String title(String phase) {
        return phase.toUpperCase(Locale.ROOT);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String millis(Duration duration) {
        return duration == null ? "n/a" : format("%.3f", duration.toNanos() / 1e6);
    }
}
