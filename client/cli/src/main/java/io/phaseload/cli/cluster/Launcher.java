package io.phaseload.cli.cluster;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Has a command's agents come, and leave. For one thread. */
interface Launcher extends AutoCloseable {

    /** The option with which an agent leaves when its standard input ends. */
    String UNTIL_INPUT_ENDS = "--until-input-ends";

    /** The names that they have, different ones; empty if any agents may come. */
    List<String> names();

    /** The keys of coordinator and agents; the same each time. */
    ClusterAccess access();

    /**
     * Starts them, or begins to, and doesn't wait for them.
     *
     * @param folder gets what they print, and the results folders of those on this machine
     * @param err gets a line for whatever people should know at once
     */
    void start(ClusterPlan cluster, InetSocketAddress coordinator, Path folder, PrintStream err) throws IOException;

    /** The place of what they print, for a message about missing ones. */
    default String logs(Path folder) {
        return " (see " + folder + ")";
    }

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
