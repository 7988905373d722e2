package io.phaseload.cli.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Agents in JVMs of their own on this machine; what they print is in the run's folder. */
final class LocalAgents implements AutoCloseable {

    private static final String MAIN = "io.phaseload.cli.Main";
    private static final long TO_LEAVE_SECONDS = 10;

    private final List<Process> processes = new ArrayList<>();

    /** The names that they have. */
    static List<String> names(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "local-" + i).toList();
    }

    /**
     * Starts them.
     *
     * @param folder gets their results folders and what they print
     */
    void start(int count, InetSocketAddress coordinator, String secret, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        for (String name : names(count)) {
            ProcessBuilder builder = new ProcessBuilder(line(name, coordinator, folder));
            builder.environment().put(AccessOptions.VARIABLE, secret);
            builder.redirectErrorStream(true);
            builder.redirectOutput(folder.resolve(name + ".log").toFile());
            processes.add(builder.start());
        }
    }

    private static List<String> line(String name, InetSocketAddress coordinator, Path folder) {
        Stream<String> flags =
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> flag.startsWith("-X"));
        return Stream.of(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString()),
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
                                "--once",
                                "--out",
                                folder.toString()))
                .flatMap(all -> all)
                .toList();
    }

    /** In {@code mvn exec:java} the class loader has it, and the property doesn't. */
    private static String classPath() {
        return LocalAgents.class.getClassLoader() instanceof URLClassLoader loader
                ? Stream.of(loader.getURLs())
                        .map(URL::getPath)
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Has them leave. */
    void end() {
        processes.forEach(Process::destroy);
    }

    /** Waits for them to leave, and ends those that don't. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TO_LEAVE_SECONDS);
        boolean interrupted = false;
        for (Process process : processes) {
            try {
                if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                process.destroyForcibly();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
