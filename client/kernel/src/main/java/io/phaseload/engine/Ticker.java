package io.phaseload.engine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * Calls a task once a second from its own thread, at whole seconds after a start, and at other times if there are any.
 * {@link #close()} waits for a call in progress.
 */
final class Ticker implements AutoCloseable {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long startNanos;
    private final LongConsumer task;
    private final LongUnaryOperator more;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param startNanos the start, as {@link System#nanoTime()}
     * @param task is given the time since the start, in nanoseconds
     * @param more the next time at which it is also called, after a given time
     */
    Ticker(long startNanos, LongConsumer task, LongUnaryOperator more) {
        this.startNanos = startNanos;
        this.more = more;
        this.task = task;
        this.thread = new Thread(this::tick, "phaseload-ticker");
        thread.setDaemon(true);
        thread.start();
    }

    private void tick() {
        long last = 0;
        long second = SECOND;
        while (!closed) {
            long elapsed = System.nanoTime() - startNanos;
            long next = Math.min(second, more.applyAsLong(last));
            if (elapsed < next) {
                LockSupport.parkNanos(this, next - elapsed);
            } else {
                task.accept(elapsed);
                // After a late tick, the missed ones are skipped.
                second = (elapsed / SECOND + 1) * SECOND;
                last = elapsed;
            }
        }
    }

    /** There may be another time at which the task is called. */
    void changed() {
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        Joining.join(thread::join);
    }
}
