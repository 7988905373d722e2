package io.phaseload.cli.doctor.checks;

import io.phaseload.host.HostSettings;

/** Whether a server on this host can queue the plan's connections until it accepts them. */
public final class AcceptQueue {

    private AcceptQueue() {}

    /**
     * The server's own backlog may be shorter.
     *
     * @param here whether the target is on this host
     */
    public static Outcome judge(Planned planned, HostSettings settings, boolean here) {
        if (!here) {
            return new Outcome.Skip("the target is on another host: look at net.core.somaxconn there");
        }
        if (settings.mostAcceptQueue().isEmpty()) {
            return new Outcome.Skip("this system doesn't tell its longest accept queue");
        }
        long most = settings.mostAcceptQueue().get();
        int connections = planned.connectionsAtOnce();
        String found = "an accept queue holds %d connections at most".formatted(most);
        if (connections > most) {
            return new Outcome.Warn(
                    found,
                    "%d users may connect at once: those that find it full wait for 1 s or more".formatted(connections),
                    "sudo sysctl -w net.core.somaxconn=%d, or --connect-rate %d/s"
                            .formatted(connections, Math.max(1, most)));
        }
        return new Outcome.Ok(found, "%d may be opened at once".formatted(connections));
    }
}
