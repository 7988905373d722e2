package io.phaseload.events.connection;

import io.phaseload.user.ConnectPace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when one loop's connections are opened: at once, or in turn at a pace that all loops share. Used only by the
 * loop's thread.
 */
public final class ConnectQueue {

    /** Wants to open a connection. */
    interface Waiter {

        /** It is its turn. */
        void proceed();

        /** No more connections are to be opened. */
        void cancel();
    }

    private final LoopContext loop;
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    private Optional<ConnectPace> pace = Optional.empty();
    private long endNanos;
    private boolean stopped;

    ConnectQueue(LoopContext loop) {
        this.loop = loop;
    }

    /**
     * Sets the pace.
     *
     * @param shared by all loops; empty for no limit
     * @param end the time to stop opening connections, as {@link System#nanoTime()}
     */
    public void setPace(Optional<ConnectPace> shared, long end) {
        pace = shared;
        endNanos = end;
    }

    /** Waits for a turn, which may come at once; a refusal always comes later. */
    void enter(Waiter waiter) {
        if (pace.isEmpty()) {
            waiter.proceed();
            return;
        }
        if (stopped) {
            loop.execute(waiter::cancel);
            return;
        }
        long now = System.nanoTime();
        long turn = pace.get().next(now);
        boolean inTime = turn - endNanos < 0;
        if (inTime && turn == now) {
            waiter.proceed();
            return;
        }
        waiting.add(waiter);
        loop.schedule(() -> call(waiter, inTime), (inTime ? turn : endNanos) - now);
    }

    private void call(Waiter waiter, boolean inTime) {
        // Otherwise it was cancelled.
        if (waiting.remove(waiter)) {
            if (inTime) {
                waiter.proceed();
            } else {
                waiter.cancel();
            }
        }
    }

    /** Cancels all that wait, now and later. */
    public void stop() {
        stopped = true;
        List<Waiter> cancelled = List.copyOf(waiting);
        waiting.clear();
        cancelled.forEach(Waiter::cancel);
    }
}
