package io.phaseload.events.connection;

import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.phaseload.engine.Joining;
import io.phaseload.events.tls.Tls;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.EngineUse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A run's event loops, each with a thread of its own, and what they all use. Thread-safe. */
public final class EventLoops implements AutoCloseable {

    private final Target target;
    private final Transport transport;
    private final Tls tls;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<SingleThreadIoEventLoop> loops;

    /**
     * Makes loops, whose threads start with their first task.
     *
     * @param tls closed with them; {@code null} without TLS
     */
    public EventLoops(Target target, Transport transport, int count, Tls tls) {
        this.target = target;
        this.transport = transport;
        this.tls = tls;
        this.loops = IntStream.range(0, count)
                .mapToObj(i -> new SingleThreadIoEventLoop(null, this::newThread, transport.handlers()))
                .toList();
    }

    /** Those of a plan: as many as it says, or one per core. */
    public static EventLoops of(Plan plan, Transport transport, boolean http2) {
        int count = plan.engine().loops().orElse(Runtime.getRuntime().availableProcessors());
        return new EventLoops(plan.target(), transport, count, Tls.of(plan.target(), http2));
    }

    private Thread newThread(Runnable task) {
        Thread thread = new FastThreadLocalThread(task, "phaseload-events-" + (threads.size() + 1));
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** All of them, in order. */
    public List<SingleThreadIoEventLoop> all() {
        return loops;
    }

    /** The engine on these loops in a result. */
    public EngineUse use(String engine, Protocol protocol) {
        return EngineUse.ofLoops(
                engine,
                transport.key(),
                loops.size(),
                Optional.ofNullable(tls).map(used -> used.provider().key()),
                protocol);
    }

    /** The shared state of a loop's connections, if none sends HTTP requests. */
    public LoopContext newContext(SingleThreadIoEventLoop loop, Resolver resolver) {
        return newContext(loop, resolver, new LoopRequests(0, (operation, session) -> null, LoopRequest::of), false);
    }

    /**
     * The shared state of a loop's connections.
     *
     * @param keepsHeads true if any request has the header of its response kept
     */
    public LoopContext newContext(
            SingleThreadIoEventLoop loop, Resolver resolver, LoopRequests requests, boolean keepsHeads) {
        return new LoopContext(loop, transport, resolver, target, tls, requests, keepsHeads);
    }

    /** Returns when all their threads have ended; an interrupt is kept for later. */
    @Override
    public void close() {
        loops.forEach(loop -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS));
        threads.forEach(thread -> Joining.join(thread::join));
        if (tls != null) {
            tls.close();
        }
    }
}
