package io.phaseload.cli.cluster;

import io.phaseload.cluster.network.ClusterAccess;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Agents that come by themselves.
 *
 * @param names those that they have, which differ; empty if any are welcome
 */
record AwaitedAgents(ClusterAccess access, List<String> names) implements Launcher {

    @Override
    public void start(ClusterPlan cluster, InetSocketAddress coordinator, Path folder, PrintStream err) {
        err.printf(
                "Waiting for %s%s at %s:%d.%n",
                names.isEmpty() ? cluster.count() + " agents" : "the agents " + String.join(", ", names),
                cluster.agentOptions().stream().map(" with "::concat).collect(Collectors.joining()),
                cluster.listen().getHostString(),
                coordinator.getPort());
    }

    @Override
    public String logs(Path folder) {
        return "";
    }

    @Override
    public void close() {
        // They belong to others.
    }
}
