package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Probe;
import io.phaseload.result.Figures;

/** Whether the target keeps connections, so that requests don't wait for new ones. */
public final class KeepAlive {

    private KeepAlive() {}

    /** One user sent one request after another. */
    public static Outcome judge(Planned planned, Probe probe) {
        Figures one = probe.one();
        long connections = one.connectionSetUp().samples();
        if (one.responses() == 0) {
            return new Outcome.Fail(
                    "%d requests, none answered %s".formatted(one.requests(), one.failures()),
                    "the target doesn't answer the plan's first request",
                    "curl -v " + planned.plan().target().uri().resolve("/"));
        }
        String found = "%d requests went over %d connection%s"
                .formatted(one.requests(), connections, connections == 1 ? "" : "s");
        if (connections <= 1) {
            return new Outcome.Ok(found, "the target keeps connections");
        }
        if (planned.closesConnections()) {
            return new Outcome.Ok(found, "the plan asks for that (Connection: close)");
        }
        long each = Math.max(1, Math.round((double) one.requests() / connections));
        return new Outcome.Warn(
                found,
                each == 1
                        ? "the target closes each connection: every request pays for a new one, and"
                                + " needs a local port"
                        : "the target closes a connection after about %d requests: their users make".formatted(each)
                                + " new ones",
                "turn on keep-alive at the target, or at the proxy before it (keepalive_requests,"
                        + " maxKeepAliveRequests)");
    }
}
