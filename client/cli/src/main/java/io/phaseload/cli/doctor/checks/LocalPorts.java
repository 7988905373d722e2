package io.phaseload.cli.doctor.checks;

import io.phaseload.host.HostSettings;
import io.phaseload.host.linux.PortRange;
import java.util.OptionalDouble;

/** Whether there are enough local ports for the plan's connections. */
public final class LocalPorts {

    /** How long Linux keeps the port of a connection that this end closed. */
    private static final int TIME_WAIT_SECONDS = 60;

    private static final String FIX =
            "sudo sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\" net.ipv4.tcp_tw_reuse=1";

    private LocalPorts() {}

    /** A port is taken by a connection, and for a minute after it; all go to one address. */
    public static Outcome judge(Planned planned, HostSettings settings) {
        if (settings.portRange().isEmpty()) {
            return new Outcome.Skip("this system doesn't tell its range of local ports");
        }
        PortRange range = settings.portRange().get();
        int ports = range.size();
        int connections = planned.connections();
        String found = "%d local ports (%d to %d)".formatted(ports, range.first(), range.last());
        if (connections > ports) {
            return new Outcome.Fail(
                    found,
                    "%d connections to one address need as many: the others will fail with 'no free"
                                    .formatted(connections)
                            + " local port'",
                    FIX);
        }
        boolean reused = settings.timeWaitReuse().filter(reuse -> reuse == 1).isPresent();
        if (!planned.closesConnections() || reused) {
            return new Outcome.Ok(found, "%d connections at once".formatted(connections));
        }
        OptionalDouble rate = planned.rate();
        double most = (double) ports / TIME_WAIT_SECONDS;
        if (rate.isPresent() && rate.getAsDouble() <= most) {
            return new Outcome.Ok(
                    found,
                    Text.of(
                            "%.0f connections a second take %.0f of them, TIME_WAIT included",
                            rate.getAsDouble(), rate.getAsDouble() * TIME_WAIT_SECONDS));
        }
        String asked = rate.isPresent() ? Text.of(" (this plan: %.0f)", rate.getAsDouble()) : "";
        return new Outcome.Warn(
                found,
                Text.of(
                        "each request has a connection of its own, whose port is kept for 60 s if the"
                                + " client closes it first: more than %.0f a second%s run out",
                        most, asked),
                FIX);
    }
}
