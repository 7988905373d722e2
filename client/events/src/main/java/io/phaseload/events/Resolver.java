package io.phaseload.events;

import io.phaseload.plan.Target;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Finds the target's addresses, as the JVM's own resolver does, which may block and therefore has a
 * thread of its own. Thread-safe.
 */
final class Resolver implements AutoCloseable {

    private final String host;
    private final ExecutorService thread;

    Resolver(Target target) {
        this.host = target.host();
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, "phaseload-resolver");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** Looks the name up anew; the JVM keeps answers for a while. */
    CompletableFuture<InetAddress[]> lookUp() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return InetAddress.getAllByName(host);
                    } catch (UnknownHostException e) {
                        throw new CompletionException(e);
                    }
                },
                thread);
    }

    /** What is being looked up is left. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
