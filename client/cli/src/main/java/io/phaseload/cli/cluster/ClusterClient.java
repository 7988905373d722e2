package io.phaseload.cli.cluster;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.TrialClient;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Runs a plan on agents. {@link #run()} is called once; {@link #close()} by any thread. */
final class ClusterClient implements TrialClient {

    private final AgentPool agents;
    private final Plan plan;
    private final RunListener listener;
    private volatile boolean ended;

    ClusterClient(AgentPool agents, Plan plan, RunListener listener) {
        this.agents = agents;
        this.plan = plan;
        this.listener = listener;
    }

    /** Waits for the agents and runs the plan on them; what it throws says who is missing. */
    @Override
    public Result run() throws IOException {
        try {
            Result result = agents.run(plan, listener);
            ended = true;
            return result;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new AgentsException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void close() {
        if (!ended) {
            agents.stop();
        }
    }
}
