package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Ceiling;
import io.phaseload.cli.doctor.facts.Machine;
import io.phaseload.host.HostSettings;
import io.phaseload.host.linux.PortRange;
import io.phaseload.plan.engine.EngineSettings;
import java.util.OptionalDouble;

/** The limits of this machine against what a plan asks for. */
public final class LimitChecks {

    /** For results, event loops and what the JVM opens as it goes. */
    public static final int OTHER_FILES = 64;

    private static final double NEARLY_ALL = 0.8;

    /** How long Linux keeps the port of a connection that this end closed. */
    private static final int TIME_WAIT_SECONDS = 60;

    private static final String MORE_PORTS =
            "sudo sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\" net.ipv4.tcp_tw_reuse=1";

    /** Beyond this share of the ceiling there is little left for peaks. */
    private static final double NEAR_CEILING = 0.7;

    private static final String MORE_CLIENTS = "more CPUs, or several clients (--agents, or --part 1/2)";

    private LimitChecks() {}

    /**
     * Room for the plan's connections within the limit of open files. Each connection is a file; with the target in the
     * same process, it is two.
     */
    public static CheckOutcome openFiles(Planned planned, Machine machine) {
        if (machine.mostOpenFiles().isEmpty()) {
            return new CheckOutcome.Skip("this system has no such limit, or the JVM doesn't know it");
        }
        long limit = machine.mostOpenFiles().get();
        int connections = planned.connections();
        long needed = (planned.ownTarget() ? 2L : 1L) * connections
                + machine.openFiles().orElse(0L)
                + OTHER_FILES;
        String found = "%d files may be open".formatted(limit);
        String fix = "sudo prlimit --pid $$ --nofile=%d".formatted(2 * needed);
        if (needed > limit) {
            return new CheckOutcome.Fail(
                    found,
                    "%d connections need about %d: the others will fail with 'too many open files'"
                            .formatted(connections, needed),
                    fix);
        }
        if (needed > NEARLY_ALL * limit) {
            return new CheckOutcome.Warn(found, "%d connections need about %d".formatted(connections, needed), fix);
        }
        return new CheckOutcome.Ok(found, "%d connections need about %d".formatted(connections, needed));
    }

    /**
     * Local ports for the plan's connections. A port is taken by a connection, and for a minute after it; all go to one
     * address.
     */
    public static CheckOutcome localPorts(Planned planned, HostSettings settings) {
        if (settings.portRange().isEmpty()) {
            return new CheckOutcome.Skip("the range of local ports isn't known on this system");
        }
        PortRange range = settings.portRange().get();
        int ports = range.size();
        int connections = planned.connections();
        String found = "%d local ports (%d to %d)".formatted(ports, range.first(), range.last());
        if (connections > ports) {
            return new CheckOutcome.Fail(
                    found,
                    "%d connections to one address need as many: the others will fail with 'no free"
                                    .formatted(connections)
                            + " local port'",
                    MORE_PORTS);
        }
        boolean reused = settings.timeWaitReuse().filter(reuse -> reuse == 1).isPresent();
        if (!planned.closesConnections() || reused) {
            return new CheckOutcome.Ok(found, "%d connections at once".formatted(connections));
        }
        OptionalDouble rate = planned.rate();
        double most = (double) ports / TIME_WAIT_SECONDS;
        if (rate.isPresent() && rate.getAsDouble() <= most) {
            return new CheckOutcome.Ok(
                    found,
                    NumberText.of(
                            "%.0f connections a second take %.0f of them, TIME_WAIT included",
                            rate.getAsDouble(), rate.getAsDouble() * TIME_WAIT_SECONDS));
        }
        String asked = rate.isPresent() ? NumberText.of(" (this plan: %.0f)", rate.getAsDouble()) : "";
        return new CheckOutcome.Warn(
                found,
                NumberText.of(
                        "each request has a connection of its own, whose port is kept for 60 s if the"
                                + " client closes it first: more than %.0f a second%s run out",
                        most, asked),
                MORE_PORTS);
    }

    /**
     * Room for the plan's connections in the accept queue of a server on this host. The server's own backlog may be
     * shorter.
     *
     * @param here true if the target is on this host
     */
    public static CheckOutcome acceptQueue(Planned planned, HostSettings settings, boolean here) {
        if (!here) {
            return new CheckOutcome.Skip("the target is on another host: look at net.core.somaxconn there");
        }
        if (settings.mostAcceptQueue().isEmpty()) {
            return new CheckOutcome.Skip("the longest accept queue isn't known on this system");
        }
        long most = settings.mostAcceptQueue().get();
        int connections = planned.connectionsAtOnce();
        String found = "an accept queue holds %d connections at most".formatted(most);
        if (connections > most) {
            return new CheckOutcome.Warn(
                    found,
                    "%d users may connect at once: those that find it full wait for 1 s or more".formatted(connections),
                    "sudo sysctl -w net.core.somaxconn=%d, or --connect-rate %d/s"
                            .formatted(connections, Math.max(1, most)));
        }
        return new CheckOutcome.Ok(found, "%d may be opened at once".formatted(connections));
    }

    /**
     * The requests that this machine can send against the plan's rate. The null server took a share of the CPUs:
     * without it the client could send more, but not more than in proportion.
     */
    public static CheckOutcome clientCeiling(Planned planned, Ceiling ceiling) {
        if (!ceiling.failures().isEmpty() || ceiling.perSecond() == 0) {
            return new CheckOutcome.Skip("it couldn't be measured: " + ceiling.failures());
        }
        String found = NumberText.of(
                "%,.0f requests/s %s to a null server in this process, which took %.0f %% of" + " the CPU time",
                ceiling.perSecond(), conditions(planned, ceiling), 100 * ceiling.serverShare());
        OptionalDouble rate = planned.rate();
        if (rate.isEmpty()) {
            return new CheckOutcome.Ok(found, "a run that comes near to it measures the client, and not the target");
        }
        double asked = rate.getAsDouble();
        String meaning = NumberText.of(
                "the plan asks for %,.0f/s, %.0f %% of what this machine can send",
                asked, 100 * asked / ceiling.perSecond());
        boolean threads = planned.plan().engine().name().equals(EngineSettings.THREADS.name());
        String fix = threads ? "--engine events, " + MORE_CLIENTS : MORE_CLIENTS;
        if (asked >= ceiling.perSecond() / (1 - ceiling.serverShare())) {
            return new CheckOutcome.Fail(found, meaning, fix);
        }
        return asked >= NEAR_CEILING * ceiling.perSecond()
                ? new CheckOutcome.Warn(found, meaning, fix)
                : new CheckOutcome.Ok(found, meaning);
    }

    private static String conditions(Planned planned, Ceiling ceiling) {
        String of = ceiling.users() < planned.users() ? "of %d ".formatted(planned.users()) : "";
        return "with %d %susers".formatted(ceiling.users(), of)
                + (planned.plan().target().tls() ? ", without TLS" : "")
                + (planned.closesConnections() ? ", over kept connections" : "");
    }
}
