package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.Coordinator;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The agents of a command: those that come, or that it starts. {@link #stop()} may be called by any thread. */
final class AgentPool implements AutoCloseable {

    private static final String FOLDERS = "agents";

    private final ClusterPlan cluster;
    private final Path folder;
    private final PrintStream err;
    private final Coordinator coordinator;
    private boolean begun;
    private volatile boolean stopped;
    // Guarded by this.
    private Runnable end = () -> {};

    private AgentPool(ClusterPlan cluster, Path folder, PrintStream err) throws IOException {
        this.cluster = cluster;
        this.folder = folder;
        this.err = err;
        AccessOptions.refuseObjects();
        this.coordinator = Coordinator.open(
                cluster.listen(), cluster.network(), cluster.launcher().access());
    }

    /**
     * Begins to listen for agents.
     *
     * @param folder the command's, to which agents on this machine add their own
     * @param err gets a line for whatever people should know at once
     * @throws AgentsException that names the option
     */
    static AgentPool open(ClusterPlan cluster, Path folder, PrintStream err) throws IOException {
        try {
            return new AgentPool(cluster, folder, err);
        } catch (IOException e) {
            throw new AgentsException(
                    "--listen %s:%d: %s"
                            .formatted(
                                    cluster.listen().getHostString(),
                                    cluster.listen().getPort(),
                                    e.getMessage()),
                    e);
        }
    }

    /**
     * Waits for all of them, before each run.
     *
     * @throws IOException that says who is missing, or that the wait was stopped
     */
    Coordinator await() throws IOException, InterruptedException {
        if (!begun) {
            begun = true;
            cluster.launcher().start(cluster, coordinator.address(), folder.resolve(FOLDERS), err);
        }
        List<String> there;
        Set<String> names = Set.copyOf(cluster.launcher().names());
        try {
            there = names.isEmpty()
                    ? coordinator.await(cluster.count(), cluster.timeout(), this::joined)
                    : coordinator.await(names, cluster.timeout(), this::joined, this::idle);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (stopped) {
            throw new InterruptedIOException("interrupted while it waited for agents");
        }
        if (there.size() < cluster.count()) {
            throw new IOException(missing(there));
        }
        return coordinator;
    }

    /** Waits for the agents, and has them run a plan. */
    Result run(Plan plan, RunListener listener) throws IOException, InterruptedException {
        ClusterRun run = new ClusterRun(await(), plan, cluster.onLoss(), cluster.timeout(), listener, err::println);
        begin(run::close);
        return run.run();
    }

    /** Sets how to end the work that the agents do from now on; {@link #stop} ends it, too. */
    synchronized void begin(Runnable ending) {
        end = ending;
        if (stopped) {
            ending.run();
        }
    }

    private void idle(String name) {
        err.println("Agent " + name + " isn't named in --agents: it stays idle until this command ends.");
    }

    private void joined(String name) {
        err.println("Agent " + name + " has joined.");
        cluster.launcher().joined();
    }

    private String missing(List<String> there) {
        List<String> names = cluster.launcher().names();
        String who = names.isEmpty()
                ? "%d of %d agents%s"
                        .formatted(
                                cluster.count() - there.size(),
                                cluster.count(),
                                there.isEmpty() ? "" : " (" + String.join(", ", there) + " joined)")
                : names.stream().filter(name -> !there.contains(name)).collect(Collectors.joining(", "))
                        + cluster.launcher().logs(folder.resolve(FOLDERS));
        return "--agents %s: after %d s, still missing: %s"
                .formatted(cluster.agents(), cluster.timeout().toSeconds(), who);
    }

    /** Has the next runs use so many of them; the others wait. */
    void use(int count) {
        coordinator.use(count);
    }

    /** Ends the wait for agents, and what they do. */
    synchronized void stop() {
        stopped = true;
        end.run();
        coordinator.wake();
    }

    /** Lets go of all agents, and waits for those that were started to end. */
    @Override
    public void close() {
        coordinator.close();
        cluster.launcher().close();
    }
}
