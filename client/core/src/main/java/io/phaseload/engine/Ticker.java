package io.phaseload.engine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Calls a task once a second from its own thread, at whole seconds after a start. {@link #close()} waits for a call in
 * progress.
 */
final class Ticker implements AutoCloseable {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long startNanos;
    private final LongConsumer task;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param startNanos the start, as {@link System#nanoTime()}
     * @param task is given the time since the start, in nanoseconds
     */
    Ticker(long startNanos, LongConsumer task) {
        this.startNanos = startNanos;
        this.task = task;
        this.thread = new Thread(this::tick, "phaseload-ticker");
        thread.setDaemon(true);
        thread.start();
    }

    private void tick() {
        long next = SECOND;
        while (!closed) {
            long elapsed = System.nanoTime() - startNanos;
            if (elapsed < next) {
                LockSupport.parkNanos(this, next - elapsed);
            } else {
                task.accept(elapsed);
                // After a late tick, the missed ones are skipped.
                next = (elapsed / SECOND + 1) * SECOND;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        Joining.join(thread::join);
    }
}
