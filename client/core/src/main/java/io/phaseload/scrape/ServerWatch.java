package io.phaseload.scrape;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the target once a second, from a thread of its own, and gives each interval of a run the
 * figures of its end; passes on what a run tells.
 *
 * <p>It asks shortly before a phase's second is over, so that the answer is there when the interval
 * ends. One that isn't, or is none, leaves a gap: an interval without figures.
 */
public final class ServerWatch implements RunListener, AutoCloseable {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long AHEAD = Duration.ofMillis(100).toNanos();

    /** One phase from its start on; told from another by its identity. */
    private record Stretch(long startNanos) {}

    private record Answer(Stretch stretch, HostFigures figures) {}

    private final ServerProbe probe;
    private final RunListener next;
    private final AtomicReference<Answer> answer = new AtomicReference<>();
    private final Thread thread = new Thread(this::ask, "phaseload-server-watch");
    private volatile Stretch current;
    private volatile boolean closed;

    /**
     * Creates a watch, which begins with the run.
     *
     * @param probe asks
     * @param next is told all that this is told, its intervals with the server's figures
     */
    public ServerWatch(ServerProbe probe, RunListener next) {
        this.probe = probe;
        this.next = next;
        thread.setDaemon(true);
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
                due = stretch.startNanos() + SECOND - AHEAD;
                begin();
            } else if (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(this, due - System.nanoTime());
            } else {
                answer.set(new Answer(stretch, read()));
                // A late answer isn't followed by a burst to catch up.
                long late = Math.max(0, System.nanoTime() - due);
                due += (late / SECOND + 1) * SECOND;
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

    @Override
    public void runStarted(Instant at) {
        thread.start();
        next.runStarted(at);
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        current = new Stretch(System.nanoTime());
        LockSupport.unpark(thread);
        next.phaseStarted(phase, users);
    }

    @Override
    public void interval(Interval interval) {
        Answer last = answer.getAndSet(null);
        boolean answered = last != null && last.stretch() == current;
        // At a phase's end comes the rest of a second, in which it needn't have been asked.
        if (!answered && interval.length().toNanos() < SECOND - AHEAD) {
            next.interval(interval);
            return;
        }
        HostFigures figures = answered ? last.figures() : HostFigures.GAP;
        next.interval(interval.withServer(figures));
    }

    @Override
    public void progress(Progress progress) {
        next.progress(progress);
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        current = null;
        next.phaseFinished(phase, wall);
    }

    /** Ends the thread, at once or when the answer it waits for has arrived. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
