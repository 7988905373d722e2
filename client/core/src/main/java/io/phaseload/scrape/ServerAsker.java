package io.phaseload.scrape;

import io.phaseload.measure.HostFigures;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks one server once a second, in a thread of its own. {@link #ask} is the thread's; the others may be called by any.
 */
final class ServerAsker {

    /** One phase from its start on; told from another by its identity. */
    record Stretch(long startNanos) {}

    private record PhaseFigures(Stretch stretch, HostFigures figures) {}

    private final ServerProbe probe;
    private final AtomicReference<PhaseFigures> answer = new AtomicReference<>();
    private final Thread thread;
    private volatile Stretch current;
    private volatile boolean closed;

    ServerAsker(ServerProbe probe) {
        this.probe = probe;
        String name = "phaseload-server-watch";
        thread = new Thread(this::ask, probe.server().isEmpty() ? name : name + "-" + probe.server());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** From now on it asks in this stretch; not at all in {@code null}. */
    void enter(Stretch stretch) {
        current = stretch;
        LockSupport.unpark(thread);
    }

    /** The additions since the last call, if they are of this stretch. */
    Optional<HostFigures> take(Stretch stretch) {
        PhaseFigures last = answer.getAndSet(null);
        return last != null && last.stretch() == stretch ? Optional.of(last.figures()) : Optional.empty();
    }

    private void ask() {
        Stretch stretch = null;
        long due = 0;
        while (!closed) {
            Stretch now = current;
            if (now == null) {
                LockSupport.park(this);
            } else if (now != stretch) {
                stretch = now;
                due = stretch.startNanos() + ServerWatch.SECOND - ServerWatch.AHEAD;
                begin();
            } else if (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(this, due - System.nanoTime());
            } else {
                answer.set(new PhaseFigures(stretch, read()));
                // A late answer isn't followed by a burst to catch up.
                long late = Math.max(0, System.nanoTime() - due);
                due += (late / ServerWatch.SECOND + 1) * ServerWatch.SECOND;
            }
        }
    }

    private void begin() {
        try {
            probe.begin();
        } catch (IOException | RuntimeException e) {
            // Then the first answer of this phase has no rates.
        }
    }

    private HostFigures read() {
        try {
            return probe.read();
        } catch (IOException | RuntimeException e) {
            // Whatever it is, a run mustn't fail for it.
            return HostFigures.GAP;
        }
    }

    /** Ends the thread, at once or when the answer it waits for has arrived. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
