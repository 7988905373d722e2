package io.phaseload.cli.doctor.checks;

import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.share.Part;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The demands of a plan on the client's machine.
 *
 * @param plan the plan, of which this client may run a part
 * @param ownTarget true if the run starts its target in its own process
 */
public record Planned(Plan plan, boolean ownTarget) {

    /** How many users the largest phase has. */
    public int users() {
        return plan.phases().stream().mapToInt(plan::users).max().orElse(0);
    }

    /** Whether it sends messages, and not requests. */
    public boolean messages() {
        return plan.engine().protocol() instanceof Protocol.WebSocket;
    }

    /** The most connections that are open at once. */
    public int connections() {
        if (plan.engine().protocol() instanceof Protocol.WebSocket messages) {
            return users() * (1 + messages.subscribers());
        }
        int sharing = plan.engine().protocol().usersPerConnection();
        int shared = (users() + sharing - 1) / sharing;
        return plan.engine()
                .client()
                .map(client -> client.pool().total())
                .filter(total -> total.isPresent())
                .map(total -> Math.min(shared, total.getAsInt()))
                .orElse(shared);
    }

    /** How many connections may be opened within a second. */
    public int connectionsAtOnce() {
        return plan.engine()
                .connectRate()
                .map(rate -> (int) Math.min(connections(), Math.ceil(rate.perSecond())))
                .orElse(connections());
    }

    /** Whether its requests ask the server to close their connections. */
    public boolean closesConnections() {
        return Stream.concat(
                        plan.target().headers().stream(),
                        plan.scenario().operations().stream().flatMap(operation -> operation.headers().stream()))
                .anyMatch(Planned::closes);
    }

    private static boolean closes(Header header) {
        return header.name().equalsIgnoreCase("Connection")
                && header.value().strip().equalsIgnoreCase("close");
    }

    /** Whether connections go to the addresses of the target's host. */
    public boolean direct() {
        return plan.target().route() == Route.DIRECT && !byProxy();
    }

    /** Whether requests go by way of a proxy. */
    public boolean byProxy() {
        return plan.target().route() instanceof Route.By
                || plan.engine()
                        .client()
                        .filter(client -> client.access().proxy().isPresent())
                        .isPresent();
    }

    /**
     * The highest rate of requests that this client is asked for; empty in a closed model, and for journeys, whose rate
     * isn't that of their requests.
     */
    public OptionalDouble rate() {
        if (plan.scenario().journeys().isPresent()) {
            return OptionalDouble.empty();
        }
        Part part = plan.part();
        return plan.phases().stream()
                .map(Phase::load)
                .filter(Load.Open.class::isInstance)
                .mapToDouble(load -> highest(((Load.Open) load).schedule()))
                .map(rate -> rate * part.turns().size() / part.of())
                .max();
    }

    private static double highest(Schedule schedule) {
        if (schedule instanceof ConstantArrivals constant) {
            return constant.rate().perSecond();
        }
        if (schedule instanceof PoissonArrivals poisson) {
            return poisson.rate().perSecond();
        }
        if (schedule instanceof RampArrivals ramp) {
            return Math.max(ramp.from().perSecond(), ramp.to().perSecond());
        }
        if (schedule instanceof BurstArrivals burst) {
            return burst.size() / (burst.period().toNanos() / 1e9);
        }
        return ((StepArrivals) schedule)
                .steps().stream()
                        .map(StepArrivals.Step::rate)
                        .mapToDouble(Rate::perSecond)
                        .max()
                        .orElse(0);
    }
}
