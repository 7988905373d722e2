package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
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

/**
 * How a run gets its agents.
 *
 * @param agents as it was asked for
 * @param count the number that there are to be
 * @param launcher has them come
 * @param network the way that they reach it, and each other
 * @param timeout the time to wait for them, and for one that says nothing
 */
public record ClusterPlan(
        String agents,
        int count,
        Launcher launcher,
        InetSocketAddress listen,
        Network network,
        Duration timeout,
        OnAgentLoss onLoss) {

    /** The option of commands and agents that all goes over the coordinator's port. */
    static final String TUNNEL = "--cluster-tunnel";

    /** The options of agents, like this command's. */
    List<String> agentOptions() {
        return network == Network.TUNNEL ? List.of(TUNNEL) : List.of();
    }

    /**
     * Checks that a plan can be run, by this JVM or by agents.
     *
     * @param cluster the agents, if there are any
     * @param target true if a target is started in this JVM
     * @throws UsageException if it can't
     */
    public static void check(Plan plan, Optional<ClusterPlan> cluster, boolean target) {
        UsageException.throwIf(
                plan.engine().protocol() instanceof Protocol.WebSocket messages
                        && messages.apart()
                        && cluster.filter(agents -> agents.count > 1).isEmpty(),
                "--subscribers-on other-agent needs --agents 2 or more");
        cluster.ifPresent(agents -> agents.check(plan, target));
    }

    /**
     * Checks that agents can run a plan.
     *
     * @param target true if a target is started in this JVM
     * @throws UsageException if they can't
     */
    private void check(Plan plan, boolean target) {
        String agents = "--agents " + this.agents;
        UsageException.throwIf(
                plan.signer().isPresent(),
                "--aws-sigv4 cannot be combined with %s: they don't get this machine's keys",
                agents);
        if (!plan.part().isWhole()) {
            throw new UsageException(
                    "--part %s cannot be combined with %s, which deals the whole plan", plan.part(), agents);
        }
        UsageException.throwIf(
                plan.target().route() instanceof Route.UnixSocket,
                "--unix-socket cannot be combined with %s: it is a file of this machine",
                agents);
        UsageException.throwIf(
                plan.untilDecided().isPresent(),
                "--until-decided cannot be combined with %s, whose phases end as planned",
                agents);
        if (target && !listen.getAddress().isLoopbackAddress()) {
            throw new UsageException("%s needs --url: agents on other machines can't reach --target", agents);
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
        UsageException.throwIf(
                users < count, "%s needs --threads %d: expected a user or more for each agent", agents, count);
    }
}
