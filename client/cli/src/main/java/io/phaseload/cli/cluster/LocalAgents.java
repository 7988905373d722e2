package io.phaseload.cli.cluster;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Agents in JVMs of their own on this machine; what they print is in the run's folder. No more of them start at a time
 * than there are processors: dozens that start together take each other for lost.
 */
final class LocalAgents implements Launcher {

    private static final String MAIN = "io.phaseload.cli.Main";

    private final List<Process> processes = new ArrayList<>();
    private final Deque<ProcessBuilder> waiting = new ArrayDeque<>();

    private final int count;
    private final ClusterAccess access = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());

    LocalAgents(int count) {
        this.count = count;
    }

    @Override
    public List<String> names() {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "local-" + i).toList();
    }

    @Override
    public ClusterAccess access() {
        return access;
    }

    @Override
    public void start(ClusterPlan cluster, InetSocketAddress coordinator, Path folder, PrintStream err)
            throws IOException {
        PrivateFiles.createDirectories(folder);
        for (String name : names()) {
            ProcessBuilder builder = new ProcessBuilder(line(name, coordinator, cluster.agentOptions(), folder));
            // Options of this command aren't theirs.
            builder.environment().keySet().removeIf(variable -> variable.startsWith("PHASELOAD_"));
            builder.environment().put(AccessOptions.VARIABLE, access.secret());
            builder.redirectErrorStream(true);
            builder.redirectOutput(Launcher.log(folder, name));
            waiting.add(builder);
        }
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            startNext();
        }
    }

    private void startNext() throws IOException {
        if (!waiting.isEmpty()) {
            processes.add(waiting.remove().start());
        }
    }

    @Override
    public void joined() {
        try {
            startNext();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> line(String name, InetSocketAddress coordinator, List<String> options, Path folder) {
        Stream<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-X"));
        return Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        flags,
                        Stream.of(
                                "-cp",
                                classPath(),
                                MAIN,
                                "agent",
                                "--coordinator",
                                "127.0.0.1:" + coordinator.getPort(),
                                "--name",
                                name,
                                "--out",
                                folder.toString(),
                                // However this command ends, they do.
                                UNTIL_INPUT_ENDS),
                        options.stream())
                .flatMap(all -> all)
                .toList();
    }

    /** In {@code mvn exec:java} the class loader has it, and the property doesn't. */
    private static String classPath() {
        return LocalAgents.class.getClassLoader() instanceof URLClassLoader loader
                ? Stream.of(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
        Launcher.await(processes);
    }
}
