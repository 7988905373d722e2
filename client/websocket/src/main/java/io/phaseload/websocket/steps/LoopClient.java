package io.phaseload.websocket.steps;

import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.Resolver;
import io.phaseload.events.connection.Transport;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.SocketClient;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** WebSockets on event loops, for users that aren't. */
final class LoopClient implements SocketClient {

    private final EventLoops loops;
    private final List<LoopContext> contexts = new ArrayList<>();
    private final Resolver resolver;
    private final AtomicInteger made = new AtomicInteger();
    // Guarded by this.
    private boolean closed;

    /** Starts a loop for each core: engines without loops set no other number. */
    LoopClient(Plan plan) {
        loops = EventLoops.of(plan, Transport.of(plan.engine().transport()), false);
        resolver = new Resolver(plan.target());
        loops.all().forEach(loop -> contexts.add(loops.newContext(loop, resolver)));
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
        contexts.forEach(context ->
                CompletableFuture.runAsync(context::close, context::execute).join());
        loops.close();
        resolver.close();
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
