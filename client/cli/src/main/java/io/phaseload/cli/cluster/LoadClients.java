package io.phaseload.cli.cluster;

import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.TrialClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/** The sender of a command's load: this JVM, or agents, which stay from one run to the next. */
public final class LoadClients implements TrialClient.ClientSource, AutoCloseable {

    private final Optional<AgentPool> agents;

    private LoadClients(Optional<AgentPool> agents) {
        this.agents = agents;
    }

    /**
     * Begins to listen for agents, if there are to be any.
     *
     * @param folder the command's, to which agents on this machine add their own
     * @param err gets a line for whatever people should know at once
     * @throws IOException with a message for people
     */
    public static LoadClients open(Optional<ClusterPlan> cluster, Path folder, PrintStream err) throws IOException {
        return new LoadClients(
                cluster.isPresent() ? Optional.of(AgentPool.open(cluster.get(), folder, err)) : Optional.empty());
    }

    @Override
    public TrialClient open(Plan plan, RunListener listener) throws IOException {
        return agents.isPresent()
                ? new ClusterClient(agents.get(), plan, listener)
                : TrialClient.ClientSource.HERE.open(plan, listener);
    }

    /** Has the next runs use so many of the agents, if there are any; the others wait. */
    public void use(int count) {
        agents.ifPresent(pool -> pool.use(count));
    }

    @Override
    public void close() {
        agents.ifPresent(AgentPool::close);
    }
}
