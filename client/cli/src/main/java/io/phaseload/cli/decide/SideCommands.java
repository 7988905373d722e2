package io.phaseload.cli.decide;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.sweep.HookRequest;
import io.phaseload.sweep.RequestHooks;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The commands of one side. Their output is appended to a file.
 *
 * @param side {@code a} or {@code b}, also in the commands' environment
 * @param before before each run
 * @param start starts the target; empty if it runs all the time
 * @param stop ends it; empty if ending what {@code start} started does
 * @param ready the path of a request that succeeds as soon as it is started; empty if a connection is enough
 * @param readyTimeout the longest wait for that
 */
record SideCommands(
        String side,
        Optional<String> before,
        Optional<String> start,
        Optional<String> stop,
        Optional<String> ready,
        Duration readyTimeout) {

    private static final Duration LONGEST_END = Duration.ofSeconds(30);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);
    private static final int CONNECT_MILLIS = 1_000;

    /** A side that is ready for a run. */
    interface StartedSide extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Waits a moment; returns false if the command was stopped. */
    interface SidePause extends Predicate<Duration> {}

    /**
     * Runs the commands before a run, and waits until the target is ready.
     *
     * @param plan of the run
     * @param log gets the commands' output
     * @param pause between two tries
     * @throws IOException if a command fails, or the target isn't ready in time
     */
    StartedSide begin(Plan plan, Path log, SidePause pause) throws IOException {
        if (before.isPresent()) {
            run("--before-each", before.get(), log, readyTimeout);
        }
        if (start.isEmpty()) {
            if (before.isPresent()) {
                await(plan, Optional.empty(), pause);
            }
            return () -> {};
        }
        if (accepts(plan.target())) {
            throw new IOException("--%s-start: %s takes connections before it: expected --%s-stop to end it"
                    .formatted(side, plan.target().address(), side));
        }
        Process process = process(start.get(), log);
        try {
            await(plan, Optional.of(process), pause);
        } catch (IOException e) {
            end(process, log);
            throw e;
        }
        return () -> end(process, log);
    }

    private void await(Plan plan, Optional<Process> process, SidePause pause) throws IOException {
        long limit = System.nanoTime() + readyTimeout.toNanos();
        while (!isReady(plan)) {
            if (process.filter(of -> !of.isAlive() && of.exitValue() != 0).isPresent()) {
                throw new IOException("--%s-start: ended with exit code %d; its output is in the results folder"
                        .formatted(side, process.get().exitValue()));
            }
            if (System.nanoTime() > limit) {
                throw new IOException("%s wasn't ready within %d s, as --ready-timeout says"
                        .formatted(plan.target().address(), readyTimeout.toSeconds()));
            }
            if (!pause.test(BETWEEN_TRIES)) {
                throw new InterruptedIOException();
            }
        }
    }

    private boolean isReady(Plan plan) {
        if (ready.isEmpty() || !accepts(plan.target())) {
            return ready.isEmpty() && accepts(plan.target());
        }
        HookRequest request = new HookRequest("ready", values -> Operation.of("GET", ready.get()), Map.of());
        return new RequestHooks(List.of(request), List.of())
                .before(new Trial(new Step(1, Map.of()), 1), plan)
                .isEmpty();
    }

    private static boolean accepts(Target target) {
        URI uri = target.uri();
        int port = uri.getPort() > 0 ? uri.getPort() : target.tls() ? 443 : 80;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private Process process(String command, Path log) throws IOException {
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        ProcessBuilder builder =
                windows ? new ProcessBuilder("cmd", "/c", command) : new ProcessBuilder("sh", "-c", command);
        builder.environment().put("AB_SIDE", side);
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void run(String option, String command, Path log, Duration limit) throws IOException {
        Process process = process(command, log);
        if (!ended(process, limit)) {
            destroy(process, ProcessHandle::destroyForcibly);
            throw new IOException("%s: still ran after %d s".formatted(option, limit.toSeconds()));
        }
        if (process.exitValue() != 0) {
            throw new IOException("%s: ended with exit code %d; its output is in the results folder"
                    .formatted(option, process.exitValue()));
        }
    }

    private void end(Process process, Path log) throws IOException {
        try {
            if (stop.isPresent()) {
                run("--" + side + "-stop", stop.get(), log, LONGEST_END);
            }
        } finally {
            destroy(process, ProcessHandle::destroy);
            if (!ended(process, LONGEST_END)) {
                destroy(process, ProcessHandle::destroyForcibly);
                ended(process, LONGEST_END);
            }
        }
    }

    /** With the processes that a shell started. */
    private static void destroy(Process process, Predicate<ProcessHandle> how) {
        Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList()
                .forEach(how::test);
    }

    private static boolean ended(Process process, Duration limit) throws IOException {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
