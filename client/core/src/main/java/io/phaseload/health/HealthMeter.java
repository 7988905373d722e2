package io.phaseload.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches the client's process for a stretch of time, with a thread of its own. {@link
 * #stalledDuring} may be called by any thread, the others by one at a time.
 */
public final class HealthMeter implements AutoCloseable {

    private final ProcessUse use = ProcessUse.own();
    private final SystemProbe probe = SystemProbe.ofThisSystem();
    private final SystemProbe.Reading before;
    private final long startNanos;
    private final long startCpu;
    private final long startGc;
    private final StallWatch stalls;
    private final Thread thread;
    private volatile boolean closed;

    /** Begins a stretch, still without its thread. */
    public HealthMeter() {
        before = probe.read(System.nanoTime());
        startCpu = use.cpuNanos();
        startGc = use.gcMillis();
        startNanos = System.nanoTime();
        stalls = new StallWatch(use, cores(), startNanos);
        thread = new Thread(this::sleep, "health-hiccup-meter");
        thread.setDaemon(true);
    }

    /**
     * Begins to look for stalls.
     *
     * @throws OutOfMemoryError if the system has no thread for it
     */
    public void start() {
        stalls.begin(System.nanoTime());
        thread.start();
    }

    private void sleep() {
        while (!closed) {
            LockSupport.parkNanos(this, StallWatch.PERIOD_NANOS);
            stalls.beat(System.nanoTime());
        }
    }

    /**
     * Whether the client was stalled for a tenth or more of a stretch of time that has just ended.
     * It takes some nanoseconds.
     *
     * @param from its start, as {@link System#nanoTime()}
     * @param to its end
     * @return {@code true} if what took so long may be the client
     */
    public boolean stalledDuring(long from, long to) {
        return stalls.stalledDuring(from, to);
    }

    /**
     * What happened to the client since the beginning. Threads that have ended by now aren't in it.
     *
     * @param lag of its event loops
     * @return its health
     */
    public ClientHealth soFar(LoopLag lag) {
        long now = System.nanoTime();
        stalls.beat(now);
        Duration gc = Duration.ofMillis(use.gcMillis() - startGc).minus(stalls.stoppedGc());
        ClientLoad load =
                new ClientLoad(
                        Duration.ofNanos(now - startNanos),
                        Duration.ofNanos(use.cpuNanos() - startCpu),
                        cores(),
                        gc.isNegative() ? Duration.ZERO : gc);
        return new ClientHealth(
                load,
                stalls.soFar(),
                probe.between(before, probe.read(now)),
                lag,
                Optional.empty(),
                List.of());
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Ends the thread. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
