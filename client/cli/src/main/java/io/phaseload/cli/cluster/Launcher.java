package io.phaseload.cli.cluster;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a command's agents and ends them. For one thread. */
interface Launcher extends AutoCloseable {

    /** The names that they have, different ones. */
    List<String> names();

    /** The keys of coordinator and agents; the same each time. */
    ClusterAccess access();

    /**
     * Starts them, or begins to, and doesn't wait for them.
     *
     * @param options that they have besides
     * @param folder gets what they print, and the results folders of those on this machine
     */
    void start(InetSocketAddress coordinator, List<String> options, Path folder) throws IOException;

    /**
     * One has come, and the machine that started it has time for the next one.
     *
     * @throws UncheckedIOException if that can't be started
     */
    default void joined() {}

    /** Has them leave, waits for it, and ends those that don't. */
    @Override
    void close();

    /** The file for the output of an agent, which only this user can read. */
    static File log(Path folder, String name) throws IOException {
        Path log = folder.resolve(name + ".log");
        if (Files.notExists(log)) {
            PrivateFiles.create(log);
        }
        return log.toFile();
    }

    /** How long agents may take to leave. */
    long TO_LEAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Waits for processes that were asked to end, and ends those that don't. */
    static void await(List<Process> processes) {
        long deadline = System.nanoTime() + TO_LEAVE_NANOS;
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
