package io.phaseload.result;

import io.phaseload.engine.EngineUse;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.ServerUse.Spread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
        report.server();
        report.failures();
        report.verdict();
        report.thresholds();
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
        line("Mean Latency for all requests = " + inMillis(response.mean(), response));
        line("Median Latency = " + inMillis(response.p50(), response));
        line("P95 Latency = " + inMillis(response.p95(), response));
        line("P99 Latency = " + inMillis(response.p99(), response));
    }

    private void details() {
        Figures totals = result.totals();
        line("");
        if (totals.failed() > 0) {
            Latency ok = totals.responseOfSuccesses();
            line(
                    format(
                            "Over successful responses only (ms): mean %s, median %s, p95 %s, p99 %s.",
                            millis(ok.mean(), ok),
                            millis(ok.p50(), ok),
                            millis(ok.p95(), ok),
                            millis(ok.p99(), ok)));
        }
        if (totals.censored() > 0) {
            line(
                    format(
                            "Timeouts: %d; they are counted with their limit, which is a lower"
                                    + " bound.",
                            totals.censored()));
        }
        notSent();
        Latency setUp = totals.connectionSetUp();
        line(
                format(
                        "Connections made: %d (mean %s, max %s ms each, not part of a closed"
                                + " model's latencies); %d remade after the server had closed them.",
                        setUp.samples(),
                        millis(setUp.mean(), setUp),
                        millis(setUp.max(), setUp),
                        totals.reconnects()));
        if (setUp.samples() > 0) {
            line(
                    format(
                            "  Of that, mean (max) ms: DNS %s, TCP %s%s.",
                            meanAndMax(totals.dnsLookup()),
                            meanAndMax(totals.tcpConnect()),
                            totals.tlsHandshake().samples() == 0
                                    ? ""
                                    : ", TLS " + meanAndMax(totals.tlsHandshake())));
        }
        firstByte();
        instances();
        metrics();
        model();
        Environment on = result.environment();
        line(
                format(
                        "Client: %s, %d cores, %s, JDK %s, %s.",
                        on.cpu() == null ? "unknown CPU" : on.cpu(),
                        on.cores(),
                        on.os(),
                        on.javaVersion(),
                        engine()));
        for (Result.Source source : result.mergedFrom()) {
            line(
                    format(
                            "Merged from the run that began at %s on %s.",
                            source.startedAt(), source.environment().host()));
        }
        if (result.target() != null) {
            line(
                    format(
                            "Target: %s; it counted %d requests.",
                            result.target().description(), result.target().requests()));
        }
    }

    private String engine() {
        EngineUse engine = result.engine();
        if (engine.name().equals(EngineUse.THREADS.name())) {
            return result.plan().virtualThreads() ? "virtual threads" : "platform threads";
        }
        if (engine.transport() == null) {
            return "engine " + engine.name();
        }
        return format(
                "event loops (%s, %s%s)%s",
                engine.transport(),
                counted(engine.loops(), "loop"),
                engine.tls() == null ? "" : ", TLS by " + engine.tls(),
                shared(engine));
    }

    private static String shared(EngineUse engine) {
        if (engine.streams() != null) {
            return ", HTTP/2 with " + counted(engine.streams(), "stream") + " a connection";
        }
        return engine.pipeline() == null
                ? ""
                : format(
                        ", pipeline %d: so many users share a connection, and a response waits for"
                                + " those before it",
                        engine.pipeline());
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private void firstByte() {
        Latency first = result.totals().timeToFirstByte();
        Latency rest = result.totals().transfer();
        if (first.samples() > 0) {
            line(
                    format(
                            "First byte after sending (ms): mean %s, p99 %s; from there to the end:"
                                    + " mean %s, p99 %s.",
                            millis(first.mean(), first),
                            millis(first.p99(), first),
                            millis(rest.mean(), rest),
                            millis(rest.p99(), rest)));
        }
    }

    private void instances() {
        Figures.Instances instances = result.totals().instances();
        if (instances != null) {
            Latency started = instances.coldStart();
            line(
                    format(
                            "Instances: %d cold and %d restored starts, %d warm; response times of"
                                    + " the starts (ms): mean %s, max %s.",
                            instances.cold(),
                            instances.restored(),
                            instances.warm(),
                            millis(started.mean(), started),
                            millis(started.max(), started)));
        }
    }

    private void metrics() {
        for (Figures.Metered metric : result.totals().metrics()) {
            line(
                    format(
                            "Metric %s%s: mean %.3f, min %.3f, max %.3f of %d.",
                            metric.name(),
                            metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")",
                            metric.mean(),
                            metric.min(),
                            metric.max(),
                            metric.count()));
        }
    }

    private static String meanAndMax(Latency times) {
        return millis(times.mean(), times) + " (" + millis(times.max(), times) + ")";
    }

    private void notSent() {
        Map<String, Long> reasons = new TreeMap<>();
        for (PhaseResult phase : result.phases()) {
            phase.notSent().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        }
        if (!reasons.isEmpty()) {
            long asked = result.phases().stream().mapToLong(PhaseResult::asked).sum();
            long missing = reasons.values().stream().mapToLong(Long::longValue).sum();
            String causes =
                    reasons.entrySet().stream()
                            .map(reason -> reason.getKey() + " " + reason.getValue())
                            .collect(Collectors.joining(", "));
            line(format("Not sent: %d of %d (%s)", missing, asked, causes));
        }
    }

    /** A figure without its model is no figure. */
    private void model() {
        List<Load> loads = result.plan().phases().stream().map(Phase::load).distinct().toList();
        if (loads.stream().anyMatch(Load.Closed.class::isInstance)) {
            boolean pauses =
                    loads.stream()
                            .anyMatch(
                                    load ->
                                            load instanceof Load.Closed closed
                                                    && !closed.equals(Load.Closed.AT_ONCE));
            line(
                    "Closed model: a user sends its next request when the last one has ended"
                            + (pauses ? ", after a pause." : "."));
        }
        if (loads.stream().anyMatch(Load.Open.class::isInstance)) {
            Latency slip = result.totals().slip();
            line(
                    format(
                            "Open model: a request is sent when it is due, by whoever is free;"
                                    + " latencies begin then. Sent late (ms): p99 %s, max %s.",
                            millis(slip.p99(), slip), millis(slip.max(), slip)));
        }
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
                millis(response.mean(), response),
                millis(response.p50(), response),
                millis(response.p95(), response),
                millis(response.p99(), response),
                millis(response.max(), response));
    }

    private void server() {
        result.plan().serverMetrics().ifPresent(this::server);
    }

    private void server(ServerMetrics metrics) {
        List<String> header = new ArrayList<>(List.of("phase", "samples"));
        metrics.names().forEach(name -> header.addAll(List.of(name, "max")));
        TextTable table = new TextTable(1, header.toArray(String[]::new));
        int gaps = 0;
        for (PhaseResult phase : result.phases()) {
            ServerUse server = phase.server();
            List<String> row = new ArrayList<>();
            row.add(phase.name());
            row.add(Integer.toString(server.samples()));
            for (String name : metrics.names()) {
                Spread spread = server.figures().get(name);
                row.add(spread == null ? "n/a" : format("%.1f", spread.mean()));
                row.add(spread == null ? "n/a" : format("%.1f", spread.max()));
            }
            table.row(row.toArray(String[]::new));
            gaps += server.gaps();
        }
        line("");
        line(
                format(
                        "Server, mean and max of its own figures, asked once a second at %s:",
                        Secrets.redactQuery(metrics.of(result.plan().target()).toString())));
        table.appendTo(out);
        if (gaps > 0) {
            line(format("  Asked without an answer, or with one that came too late: %d.", gaps));
        }
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

    private void thresholds() {
        if (result.thresholds().isEmpty()) {
            return;
        }
        long failed = result.thresholds().stream().filter(of -> !of.passed()).count();
        line(format("Thresholds: %d of %d failed", failed, result.thresholds().size()));
        TextTable table = new TextTable(3, "  ", "threshold", "observed");
        result.thresholds()
                .forEach(of -> table.row("  " + of.outcome(), of.expression(), of.observedText()));
        table.appendTo(out);
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

    private static String inMillis(Duration duration, Latency of) {
        return millis(duration, of) + (duration == null ? "." : " ms.");
    }

    /**
     * A figure of a distribution as every report writes it.
     *
     * @param duration the figure, or {@code null}
     * @param of the distribution
     * @return milliseconds to three places, or why there are none: {@code n/a}, {@code n too small}
     */
    public static String millis(Duration duration, Latency of) {
        if (duration == null) {
            return of.samples() == 0 ? "n/a" : "n too small";
        }
        return format("%.3f", duration.toNanos() / 1e6);
    }
}
