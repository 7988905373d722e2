package io.phaseload.cli.cluster;

import io.phaseload.cluster.AgentSection;
import io.phaseload.cluster.ClusterResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A run's agents as text for people. */
final class AgentTable {

    private AgentTable() {}

    static String text(ClusterResult run) {
        int name = width("agent", run.agents().stream().map(AgentSection::name).toList());
        int host = width("host", run.agents().stream().map(AgentSection::host).toList());
        String row = "%-" + name + "s  %-" + host + "s  %10s  %8s  %10s  %9s  %9s  %-8s  %s%n";
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        row,
                        "agent",
                        "host",
                        "requests",
                        "failed",
                        "rps",
                        "p50 ms",
                        "p99 ms",
                        "verdict",
                        "clock"));
        for (AgentSection agent : run.agents()) {
            Optional<AgentSection.Measured> own = agent.measured();
            text.append(
                    String.format(
                            Locale.ROOT,
                            row,
                            agent.name(),
                            agent.host(),
                            own.map(of -> Long.toString(of.requests())).orElse("-"),
                            own.map(of -> Long.toString(of.failed())).orElse("-"),
                            own.map(of -> number(of.requestsPerSecond(), 2)).orElse("-"),
                            millis(own.flatMap(AgentSection.Measured::p50Ms)),
                            millis(own.flatMap(AgentSection.Measured::p99Ms)),
                            agent.lost().isPresent() ? "LOST" : agent.verdict().orElse("-"),
                            agent.clock().map(AgentTable::clock).orElse("-")));
        }
        for (ClusterResult.PhaseStart start : run.starts()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%s: agents started within %.3f ms of each other, give or take %.3f ms%n",
                            start.phase(),
                            millis(start.spread()),
                            millis(start.error())));
        }
        return text.toString();
    }

    private static int width(String head, List<String> names) {
        return Math.max(head.length(), names.stream().mapToInt(String::length).max().orElse(0));
    }

    private static String clock(AgentSection.Clock clock) {
        return String.format(
                Locale.ROOT,
                "%+.3f ms, give or take %.3f ms%s",
                clock.offsetMs(),
                clock.boundMs(),
                clock.consistent() ? "" : " (it was stepped)");
    }

    private static String millis(Optional<Double> time) {
        return time.map(of -> number(of, 3)).orElse("-");
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
