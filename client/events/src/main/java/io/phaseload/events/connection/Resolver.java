package io.phaseload.events.connection;

import io.phaseload.host.Daemons;
import io.phaseload.http.ConnectRoute;
import io.phaseload.plan.Target;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Resolves the target with the JVM's own resolver, in a separate thread, since it may block. Thread-safe. */
public final class Resolver implements AutoCloseable {

    private final ConnectRoute way;
    private final ExecutorService thread;
    // Guarded by this: the last lookup, which may not have ended yet.
    private CompletableFuture<ResolvedHost> last;

    /**
     * The addresses.
     *
     * @param nanos the time, as {@link System#nanoTime()}
     */
    record ResolvedHost(ConnectRoute.Addresses way, long nanos) {}

    public Resolver(Target target) {
        this.way = new ConnectRoute(target);
        this.thread = Executors.newSingleThreadExecutor(Daemons.named("phaseload-resolver"));
    }

    /**
     * Looks up the name, or joins a lookup in progress, so that ten thousand simultaneous connections don't queue as
     * many lookups. The JVM caches answers for a while.
     */
    synchronized CompletableFuture<ResolvedHost> lookUp() {
        if (last == null || last.isDone()) {
            last = CompletableFuture.supplyAsync(this::find, thread);
        }
        return last;
    }

    private ResolvedHost find() {
        try {
            ConnectRoute.Addresses found = way.lookUp();
            return new ResolvedHost(found, System.nanoTime());
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    /** The way that it looks up. */
    ConnectRoute way() {
        return way;
    }

    /** A lookup in progress is abandoned. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
