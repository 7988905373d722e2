package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.TrialClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/** Runs a plan on agents. {@link #run()} is called once; {@link #close()} by any thread. */
final class ClusterClient implements TrialClient {

    private final AgentPool agents;
    private final Plan plan;
    private final RunListener listener;
    // Guarded by this.
    private Optional<ClusterRun> current = Optional.empty();
    private boolean stopped;
    private boolean ended;

    ClusterClient(AgentPool agents, Plan plan, RunListener listener) {
        this.agents = agents;
        this.plan = plan;
        this.listener = listener;
    }

    /** Waits for the agents and runs the plan on them; what it throws says who is missing. */
    @Override
    public Result run() throws IOException {
        try {
            ClusterRun run = agents.begin(plan, listener);
            begin(run);
            Result result = run.run();
            end();
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

    private synchronized void begin(ClusterRun run) {
        current = Optional.of(run);
        if (stopped) {
            run.close();
        }
    }

    private synchronized void end() {
        ended = true;
    }

    @Override
    public synchronized void close() {
        if (ended) {
            return;
        }
        stopped = true;
        current.ifPresent(ClusterRun::close);
        agents.stop();
    }
}
