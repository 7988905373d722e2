package io.phaseload.report.text;

import io.phaseload.engine.EngineUse;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import io.phaseload.result.Secrets;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** What ran where, against what: a figure without its model is no figure. */
final class SetUpLines {

    private final Result result;
    private final Lines out;

    private SetUpLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the lines. */
    static void add(Result result, Lines out) {
        SetUpLines of = new SetUpLines(result, out);
        of.run();
        of.model();
        of.client();
        of.others();
    }

    private void run() {
        Plan plan = result.plan();
        out.format(
                "Run: %s against %s, started %s.",
                plan.name(),
                Secrets.redactQuery(plan.target().uri().toString()),
                result.startedAt().truncatedTo(ChronoUnit.SECONDS));
        if (!plan.labels().isEmpty()) {
            out.add("Labels: " + labels(plan));
        }
    }

    static String labels(Plan plan) {
        return plan.labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
    }

    private void model() {
        List<Load> loads = result.plan().phases().stream().map(Phase::load).distinct().toList();
        if (loads.stream().anyMatch(Load.Closed.class::isInstance)) {
            boolean pauses =
                    loads.stream()
                            .anyMatch(
                                    load ->
                                            load instanceof Load.Closed closed
                                                    && !closed.equals(Load.Closed.AT_ONCE));
            out.add(
                    "Closed model: a user sends its next request when the last one has ended"
                            + (pauses ? ", after a pause." : "."));
        }
        if (loads.stream().anyMatch(Load.Open.class::isInstance)) {
            Latency slip = result.totals().slip();
            out.format(
                    "Open model: a request is sent when it is due, by whoever is free;"
                            + " latencies begin then. Sent late (ms): p99 %s, max %s.",
                    TextReport.millis(slip.p99()), TextReport.millis(slip.max()));
        }
    }

    private void client() {
        Environment on = result.environment();
        out.format(
                "Client: %s, %d cores, %s, JDK %s, %s.",
                on.cpu() == null ? "unknown CPU" : on.cpu(),
                on.cores(),
                on.os(),
                on.javaVersion(),
                engine());
    }

    private void others() {
        for (Result.Source source : result.mergedFrom()) {
            out.format(
                    "Merged from the run that began at %s on %s.",
                    source.startedAt(), source.environment().host());
        }
        if (result.target() != null) {
            out.format(
                    "Target: %s; it counted %d requests.",
                    result.target().description(), result.target().requests());
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
        return TextReport.format(
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
                : TextReport.format(
                        ", pipeline %d: so many users share a connection, and a response waits for"
                                + " those before it",
                        engine.pipeline());
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
