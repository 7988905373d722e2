package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.health.LoopLag;
import java.time.Duration;

/**
 * Measures how late one loop is, with a timer every 10 ms. Used only by the loop's thread, except for {@link #lag()}.
 */
public final class LagWatch {

    private static final long PERIOD_NANOS = Duration.ofMillis(10).toNanos();

    /** Timers and a busy loop are always late by less. */
    private static final long LEAST_NANOS = Duration.ofMillis(10).toNanos();

    private final LoopContext loop;
    private ScheduledFuture<?> waiting;
    private volatile LoopLag lag = LoopLag.NONE;

    public LagWatch(LoopContext loop) {
        this.loop = loop;
    }

    public void start() {
        long due = System.nanoTime() + PERIOD_NANOS;
        waiting = loop.schedule(() -> awake(due), PERIOD_NANOS);
    }

    private void awake(long due) {
        long late = System.nanoTime() - due;
        if (late >= LEAST_NANOS) {
            lag = lag.plus(Duration.ofNanos(late));
        }
        start();
    }

    public void stop() {
        if (waiting != null) {
            waiting.cancel(false);
            waiting = null;
        }
    }

    /** The lag so far; may be called by any thread. */
    public LoopLag lag() {
        return lag;
    }
}
