package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Network;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a run gets its agents.
 *
 * @param agents as it was asked for
 * @param count the number that there are to be
 * @param network the way that they reach it, and each other
 * @param timeout the time to wait for them, and for one that says nothing
 */
public record ClusterPlan(
        String agents,
        int count,
        AgentStarter start,
        InetSocketAddress listen,
        Network network,
        Duration timeout,
        OnAgentLoss onLoss) {

    /** Starts agents. */
    sealed interface AgentStarter {

        /**
         * They come by themselves.
         *
         * @param names those that they have, which differ; empty if any are welcome
         */
        record Nobody(ClusterAccess access, Set<String> names) implements AgentStarter {}

        /** This command, on this machine. */
        record OnThisMachine() implements AgentStarter {}

        /** This command, by ssh. */
        record Ssh(List<String> hosts) implements AgentStarter {}
    }

    /** The options of agents, like this command's. */
    List<String> agentOptions() {
        return network == Network.TUNNEL ? List.of(ClusterOptions.TUNNEL) : List.of();
    }

    /**
     * Checks that a plan that has the ends of its pairs on different agents is run by some.
     *
     * @throws UsageException if it isn't
     */
    public static void checkPairs(Plan plan, Optional<ClusterPlan> cluster) throws UsageException {
        if (plan.engine().protocol() instanceof Protocol.WebSocket messages
                && messages.apart()
                && cluster.filter(agents -> agents.count > 1).isEmpty()) {
            throw new UsageException("--subscribers-on other-agent needs --agents 2 or more");
        }
    }

    /**
     * Checks that agents can run a plan.
     *
     * @param target true if a target is started in this JVM
     * @throws UsageException if they can't
     */
    public void check(Plan plan, boolean target) throws UsageException {
        String agents = "--agents " + this.agents;
        if (plan.signer().isPresent()) {
            throw new UsageException(
                    "--aws-sigv4 cannot be combined with %s: they don't get this machine's keys".formatted(agents));
        }
        if (!plan.part().isWhole()) {
            throw new UsageException(
                    "--part %s cannot be combined with %s, which deals the whole plan".formatted(plan.part(), agents));
        }
        if (plan.target().route() instanceof Route.UnixSocket) {
            throw new UsageException(
                    "--unix-socket cannot be combined with %s: it is a file of this machine".formatted(agents));
        }
        if (plan.untilDecided().isPresent()) {
            throw new UsageException(
                    "--until-decided cannot be combined with %s, whose phases end as planned".formatted(agents));
        }
        if (target && !listen.getAddress().isLoopbackAddress()) {
            throw new UsageException("%s needs --url: agents on other machines can't reach --target".formatted(agents));
        }
        try {
            ClusterRun.check(plan);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(agents + ": " + e.getMessage());
        }
        int users = plan.phases().stream()
                .mapToInt(phase -> phase.users(plan.threads()))
                .max()
                .orElseThrow();
        if (users < count) {
            throw new UsageException(
                    "%s needs --threads %d: expected a user or more for each agent".formatted(agents, count));
        }
    }
}
