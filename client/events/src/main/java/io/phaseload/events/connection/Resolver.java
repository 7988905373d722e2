package io.phaseload.events.connection;

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
public final class Resolver implements AutoCloseable {

    private final String host;
    private final ExecutorService thread;
    // Guarded by this: the last look-up, which may not have ended.
    private CompletableFuture<Found> last;

    /**
     * What was found.
     *
     * @param nanos when, as {@link System#nanoTime()}
     */
    record Found(InetAddress[] addresses, long nanos) {}

    public Resolver(Target target) {
        this.host = target.host();
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, "phaseload-resolver");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /**
     * Looks the name up, or joins a look-up in progress, so that ten thousand connections at once
     * don't queue as many. The JVM caches answers for a while.
     */
    synchronized CompletableFuture<Found> lookUp() {
        if (last == null || last.isDone()) {
            last = CompletableFuture.supplyAsync(this::find, thread);
        }
        return last;
    }

    private Found find() {
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            return new Found(addresses, System.nanoTime());
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    /** What is being looked up is left. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
