package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterResult;
import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.Coordinator;
import io.phaseload.files.AtomicFile;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.result.json.FileProblem;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a plan on agents. {@link #run()} and {@link #write} are for one thread; {@link #stop()} may
 * be called by any.
 */
public final class ClusterClient implements LoadClient {

    private static final String FILE = "agents.json";
    private static final String FOLDERS = "agents";

    private final ClusterPlan cluster;
    private final Plan plan;
    private final RunListener listener;
    private final Path folder;
    private final PrintStream err;
    private final Coordinator coordinator;
    private final LocalAgents local = new LocalAgents();
    private Optional<ClusterResult> result = Optional.empty();
    // Guarded by this.
    private Optional<ClusterRun> current = Optional.empty();
    private boolean stopped;

    private ClusterClient(
            ClusterPlan cluster, Plan plan, RunListener listener, Path folder, PrintStream err)
            throws IOException {
        this.cluster = cluster;
        this.plan = plan;
        this.listener = listener;
        this.folder = folder;
        this.err = err;
        AccessOptions.refuseObjects();
        this.coordinator = Coordinator.open(cluster.listen(), cluster.access());
    }

    /**
     * Begins to listen for agents.
     *
     * @param folder the run's, to which agents on this machine add their own
     * @param err gets a line for whatever people should know at once
     */
    public static ClusterClient open(
            ClusterPlan cluster, Plan plan, RunListener listener, Path folder, PrintStream err)
            throws IOException {
        try {
            return new ClusterClient(cluster, plan, listener, folder, err);
        } catch (IOException e) {
            throw new IOException(
                    "--listen %s:%d: %s"
                            .formatted(
                                    cluster.listen().getHostString(),
                                    cluster.listen().getPort(),
                                    e.getMessage()),
                    e);
        }
    }

    /** Waits for the agents and runs the plan on them; what it throws says who is missing. */
    @Override
    public Result run() throws IOException {
        try {
            if (cluster.local()) {
                local.start(
                        cluster.count(),
                        coordinator.address(),
                        cluster.access().secret(),
                        folder.resolve(FOLDERS));
            } else {
                err.printf(
                        "Waiting for %d agents at %s:%d.%n",
                        cluster.count(),
                        cluster.listen().getHostString(),
                        coordinator.address().getPort());
            }
            List<String> there =
                    coordinator.await(
                            cluster.count(),
                            cluster.timeout(),
                            name -> err.println("Agent " + name + " is there."));
            if (isStopped()) {
                throw new InterruptedIOException("interrupted while it waited for agents");
            }
            if (there.size() < cluster.count()) {
                throw new IOException(missing(there));
            }
            ClusterRun run =
                    new ClusterRun(
                            coordinator,
                            plan,
                            cluster.onLoss(),
                            cluster.timeout(),
                            listener,
                            err::println);
            begin(run);
            result = Optional.of(run.run());
            return result.get().result();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void begin(ClusterRun run) {
        current = Optional.of(run);
        if (stopped) {
            run.close();
        }
    }

    private String missing(List<String> there) {
        String who;
        if (cluster.local()) {
            List<String> names = new ArrayList<>(LocalAgents.names(cluster.count()));
            names.removeAll(there);
            who = String.join(", ", names) + " (see " + folder.resolve(FOLDERS) + ")";
        } else {
            who =
                    "%d more than %s"
                            .formatted(
                                    cluster.count() - there.size(),
                                    there.isEmpty() ? "none" : String.join(", ", there));
        }
        return "--agents %d: after %d s, still missing: %s"
                .formatted(cluster.count(), cluster.timeout().toSeconds(), who);
    }

    /** Ends the run on all agents, or the wait for them. */
    @Override
    public synchronized void stop() {
        stopped = true;
        current.ifPresent(ClusterRun::close);
        coordinator.wake();
    }

    /** Prints what each agent measured, and writes it into the run's folder. */
    @Override
    public void write(PrintStream out) {
        result.ifPresent(
                run -> {
                    out.print(AgentTable.text(run));
                    try {
                        AtomicFile.write(folder.resolve(FILE), run.json());
                    } catch (IOException e) {
                        err.println(
                                folder.resolve(FILE)
                                        + " couldn't be written: "
                                        + FileProblem.of(e));
                    }
                });
    }

    @Override
    public void close() {
        coordinator.close();
        if (result.isEmpty()) {
            // They would wait for another coordinator.
            local.end();
        }
        local.close();
    }
}
