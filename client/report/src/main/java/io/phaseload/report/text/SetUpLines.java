package io.phaseload.report.text;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.report.cells.Millis;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Environment;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import io.phaseload.run.EngineUse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The lines about what ran where, against what, and in which model. */
public final class SetUpLines {

    private final Result result;
    private final List<String> lines = new ArrayList<>();

    private SetUpLines(Result result) {
        this.result = result;
    }

    /** The lines, without their ends. */
    static List<String> of(Result result) {
        SetUpLines of = new SetUpLines(result);
        of.run();
        of.model();
        of.client();
        of.lines.addAll(sources(result));
        return of.lines;
    }

    private void run() {
        line("Run: %s against %s, started %s", result.plan().name(), url(result), startedAt(result));
        if (!result.plan().labels().isEmpty()) {
            line("Labels: %s", labels(result.plan()));
        }
    }

    /**
     * Where the target is.
     *
     * @param result of a run
     * @return its address without secrets
     */
    public static String url(Result result) {
        return result.plan().target().address();
    }

    static Instant startedAt(Result result) {
        return result.startedAt().truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * The labels of a run.
     *
     * @param plan of the run
     * @return such as {@code build=1234, size=1k}; empty if there are none
     */
    public static String labels(Plan plan) {
        return plan.labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
    }

    private void model() {
        List<Load> loads =
                result.plan().phases().stream().map(Phase::load).distinct().toList();
        List<Load.Closed> closed = loads.stream()
                .filter(Load.Closed.class::isInstance)
                .map(Load.Closed.class::cast)
                .toList();
        if (!closed.isEmpty()) {
            boolean pauses = closed.stream().anyMatch(load -> !load.equals(Load.Closed.AT_ONCE));
            line("Closed model: a user sends its next request when the last one ends");
            if (pauses) {
                line("  after a pause");
            }
        }
        if (closed.size() < loads.size()) {
            Latency slip = result.totals().slip();
            line("Open model: requests are sent when they are due; latency counts from then");
            line("  Sent late by (ms): %s", Millis.text(slip, "p99", "max"));
        }
    }

    private void client() {
        Environment on = result.environment();
        line(
                "Client: %s, %d cores, %s, JDK %s, %s",
                on.cpu().orElse("unknown CPU"), on.cores(), on.os(), on.javaVersion(), engine());
    }

    /**
     * Other sources of the figures.
     *
     * @param result of a run
     * @return one line for each merged run, and one for a target that counted requests
     */
    public static List<String> sources(Result result) {
        List<String> lines = new ArrayList<>();
        for (Result.Source source : result.mergedFrom()) {
            lines.add(TextFormat.format(
                    "Merged from the run that began at %s%s",
                    source.startedAt(),
                    source.environment().host().map(host -> " on " + host).orElse("")));
        }
        result.target()
                .ifPresent(target -> lines.add(TextFormat.format(
                        "Target: %s; it counted %d requests", target.description(), target.requests())));
        return lines;
    }

    private void line(String pattern, Object... values) {
        lines.add(TextFormat.format(pattern, values));
    }

    private String engine() {
        EngineUse engine = result.engine();
        if (engine.name().equals(EngineUse.THREADS.name())) {
            return (result.plan().virtualThreads() ? "virtual threads" : "platform threads")
                    + result.plan().engine().client().map(SetUpLines::pool).orElse("");
        }
        if (engine.transport().isEmpty()) {
            return "engine " + engine.name();
        }
        return TextFormat.format(
                "event loops (%s, %s%s)%s",
                engine.transport().get(),
                counted(engine.loops().orElseThrow(), "loop"),
                engine.tls().map(provider -> ", TLS by " + provider).orElse(""),
                shared(engine));
    }

    private static String pool(HttpClientSettings client) {
        return ", Apache HttpClient with "
                + (client.pool().total().isPresent()
                        ? "a pool of " + counted(client.pool().total().getAsInt(), "connection")
                        : "a pool for each user");
    }

    private static String shared(EngineUse engine) {
        if (engine.streams().isPresent()) {
            String streams = counted(engine.streams().getAsInt(), "stream");
            return ", HTTP/2 with " + streams + " a connection";
        }
        if (engine.pipeline().isEmpty()) {
            return "";
        }
        int users = engine.pipeline().getAsInt();
        return TextFormat.format(", pipeline %d: %d users share a connection", users, users);
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
