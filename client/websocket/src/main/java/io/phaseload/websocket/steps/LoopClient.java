package io.phaseload.websocket.steps;

import io.netty.channel.SingleThreadIoEventLoop;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopThreads;
import io.phaseload.events.connection.Resolver;
import io.phaseload.events.connection.Transport;
import io.phaseload.events.tls.Tls;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.SocketClient;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** WebSockets on event loops, for users that aren't. */
final class LoopClient implements SocketClient {

    private final LoopThreads threads = new LoopThreads();
    private final List<SingleThreadIoEventLoop> loops;
    private final List<LoopContext> contexts = new ArrayList<>();
    private final Resolver resolver;
    private final Tls tls;
    private final AtomicInteger made = new AtomicInteger();
    // Guarded by this.
    private boolean closed;

    /** Starts a loop for each core. */
    LoopClient(Plan plan) {
        Target target = plan.target();
        Transport transport = Transport.of(plan.engine().transport());
        tls = target.tls() ? new Tls(target, Tls.Provider.of(target), false) : null;
        resolver = new Resolver(target);
        loops = threads.newLoops(Runtime.getRuntime().availableProcessors(), transport);
        for (SingleThreadIoEventLoop loop : loops) {
            contexts.add(
                    new LoopContext(
                            loop,
                            transport,
                            resolver,
                            target,
                            tls,
                            (operation, session) -> null,
                            false));
        }
    }

    @Override
    public UserSocket newSocket() {
        return new Distant(contexts.get(made.getAndIncrement() % contexts.size()));
    }

    @Override
    public synchronized void abandonAfter(long nanos) {
        if (!closed) {
            contexts.forEach(context -> context.execute(() -> context.abandonAfter(nanos)));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (int i = 0; i < loops.size(); i++) {
            CompletableFuture.runAsync(contexts.get(i)::close, loops.get(i)).join();
        }
        threads.end(loops);
        resolver.close();
        if (tls != null) {
            tls.close();
        }
    }

    /** A user's, in whatever thread it is. */
    private static final class Distant implements UserSocket {

        private final LoopContext loop;
        // Used by the loop alone.
        private LoopSocket socket;

        Distant(LoopContext loop) {
            this.loop = loop;
            loop.execute(() -> socket = new LoopSocket(loop));
        }

        @Override
        public void perform(SocketCall call, Listener listener) {
            loop.execute(() -> socket.perform(call, listener));
        }

        @Override
        public void close() {
            loop.execute(() -> socket.close());
        }
    }
}
