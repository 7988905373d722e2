package io.phaseload.cli.cluster;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.Coordinator;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The agents of a command: those that come, or that it starts. {@link #stop()} may be called by any thread. */
final class AgentPool implements AutoCloseable {

    private static final String FOLDERS = "agents";

    private final ClusterPlan cluster;
    private final Path folder;
    private final PrintStream err;
    private final Coordinator coordinator;
    private final Optional<Launcher> launcher;
    private boolean begun;
    private volatile boolean stopped;

    private AgentPool(ClusterPlan cluster, Path folder, PrintStream err) throws IOException {
        this.cluster = cluster;
        this.folder = folder;
        this.err = err;
        AccessOptions.refuseObjects();
        this.launcher = launcher(cluster, err);
        try {
            ClusterAccess access = cluster.start() instanceof ClusterPlan.AgentStarter.Nobody own
                    ? own.access()
                    : launcher.orElseThrow().access();
            this.coordinator = Coordinator.open(cluster.listen(), cluster.network(), access);
        } catch (IOException e) {
            launcher.ifPresent(Launcher::close);
            throw e;
        }
    }

    private static Optional<Launcher> launcher(ClusterPlan cluster, PrintStream err) throws IOException {
        if (cluster.start() instanceof ClusterPlan.AgentStarter.Ssh ssh) {
            return Optional.of(new SshAgents(ssh.hosts(), err));
        }
        return cluster.start() instanceof ClusterPlan.AgentStarter.OnThisMachine
                ? Optional.of(new LocalAgents(cluster.count()))
                : Optional.empty();
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
            begin();
        }
        List<String> there;
        try {
            there = names().isEmpty()
                    ? coordinator.await(cluster.count(), cluster.timeout(), this::joined)
                    : coordinator.await(names(), cluster.timeout(), this::joined, this::idle);
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

    /** Those of the agents that are to come by themselves; empty if any may come. */
    /** Waits for the agents, and has them begin a plan. */
    ClusterRun begin(Plan plan, RunListener listener) throws IOException, InterruptedException {
        return new ClusterRun(await(), plan, cluster.onLoss(), cluster.timeout(), listener, err::println);
    }

    private Set<String> names() {
        return cluster.start() instanceof ClusterPlan.AgentStarter.Nobody own ? own.names() : Set.of();
    }

    private void idle(String name) {
        err.println("Agent " + name + " isn't named in --agents: it stays idle until this command ends.");
    }

    private void joined(String name) {
        err.println("Agent " + name + " has joined.");
        launcher.ifPresent(Launcher::joined);
    }

    private void begin() throws IOException {
        if (launcher.isPresent()) {
            launcher.get().start(coordinator.address(), cluster.agentOptions(), folder.resolve(FOLDERS));
        } else {
            err.printf(
                    "Waiting for %s%s at %s:%d.%n",
                    names().isEmpty() ? cluster.count() + " agents" : "the agents " + String.join(", ", names()),
                    cluster.agentOptions().stream().map(" with "::concat).collect(Collectors.joining()),
                    cluster.listen().getHostString(),
                    coordinator.address().getPort());
        }
    }

    private String missing(List<String> there) {
        String who;
        if (launcher.isPresent()) {
            who = missing(launcher.get().names(), there) + " (see " + folder.resolve(FOLDERS) + ")";
        } else if (!names().isEmpty()) {
            who = missing(names(), there);
        } else {
            who = "%d of %d agents%s"
                    .formatted(
                            cluster.count() - there.size(),
                            cluster.count(),
                            there.isEmpty() ? "" : " (" + String.join(", ", there) + " joined)");
        }
        return "--agents %s: after %d s, still missing: %s"
                .formatted(cluster.agents(), cluster.timeout().toSeconds(), who);
    }

    private static String missing(Collection<String> names, List<String> there) {
        return names.stream().filter(name -> !there.contains(name)).collect(Collectors.joining(", "));
    }

    /** Has the next runs use so many of them; the others wait. */
    void use(int count) {
        coordinator.use(count);
    }

    /** Ends the wait for agents. */
    void stop() {
        stopped = true;
        coordinator.wake();
    }

    /** Lets go of all agents, and waits for those that were started to end. */
    @Override
    public void close() {
        coordinator.close();
        launcher.ifPresent(Launcher::close);
    }
}
