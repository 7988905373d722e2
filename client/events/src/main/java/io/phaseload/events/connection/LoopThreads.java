package io.phaseload.events.connection;

import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.phaseload.engine.Joining;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The threads of a run's event loops. */
public final class LoopThreads implements ThreadFactory {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new FastThreadLocalThread(task, "phaseload-events-" + (threads.size() + 1));
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** So many loops on these threads, each with a thread of its own. */
    public List<SingleThreadIoEventLoop> newLoops(int count, Transport transport) {
        return IntStream.range(0, count)
                .mapToObj(i -> new SingleThreadIoEventLoop(null, this, transport.handlers()))
                .toList();
    }

    /** Returns when all have ended; an interrupt is kept for later. */
    public void end(List<SingleThreadIoEventLoop> loops) {
        loops.forEach(loop -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS));
        threads.forEach(thread -> Joining.join(thread::join));
    }
}
