package io.phaseload.cli.cluster;

import io.phaseload.cluster.Access;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.Keys;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * How a run gets its agents.
 *
 * @param count how many there are to be
 * @param local whether they are started here
 * @param listen where they find the coordinator
 * @param access what lets them in
 * @param timeout how long to wait for them, and for one that says nothing
 * @param onLoss what becomes of the run when one is lost
 */
public record ClusterPlan(
        int count,
        boolean local,
        InetSocketAddress listen,
        Access access,
        Duration timeout,
        OnAgentLoss onLoss) {

    /**
     * Checks that agents can run a plan.
     *
     * @param target whether a target is started in this JVM
     * @throws UsageException if they can't
     */
    public void check(Plan plan, boolean target) throws UsageException {
        String agents = "--agents " + (local ? "local:" : "") + count;
        if (plan.signer().isPresent()) {
            throw new UsageException(
                    "--aws-sigv4 cannot be combined with %s: they don't get this machine's keys"
                            .formatted(agents));
        }
        if (target && !listen.getAddress().isLoopbackAddress()) {
            throw new UsageException(
                    "%s needs --url: agents on other machines can't reach --target"
                            .formatted(agents));
        }
        int users =
                plan.phases().stream()
                        .mapToInt(phase -> phase.users(plan.threads()))
                        .max()
                        .orElseThrow();
        if (users < count) {
            throw new UsageException(
                    "%s needs --threads %d: expected a user or more for each agent"
                            .formatted(agents, count));
        }
    }

    static Access ownAccess() {
        return new Access(Keys.newSecret(), Optional.empty());
    }
}
