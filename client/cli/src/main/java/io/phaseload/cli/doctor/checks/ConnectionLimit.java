package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Probe;
import io.phaseload.result.Figures;

/** Whether the target takes as many connections as the probe was allowed to open. */
public final class ConnectionLimit {

    private ConnectionLimit() {}

    /** Users kept their connections open at the same time. */
    public static Outcome judge(Planned planned, Probe probe) {
        Figures many = probe.many();
        int asked = planned.connections();
        String found = "%d users at once made %d connections; %d of %d requests failed%s"
                .formatted(
                        probe.users(),
                        many.connectionSetUp().samples(),
                        many.failed(),
                        many.requests(),
                        many.failures().isEmpty() ? "" : " " + many.failures());
        if (many.failed() > 0) {
            return new Outcome.Warn(
                    found,
                    "a run with more connections than the target takes measures that limit",
                    "raise the target's limit (maxConnections, worker_connections), or use fewer" + " users (-c)");
        }
        return new Outcome.Ok(
                found,
                probe.users() < planned.users()
                        ? "the plan opens up to %d connections: --probe %d tries them all"
                                .formatted(asked, planned.users())
                        : "as many as the plan has users");
    }
}
