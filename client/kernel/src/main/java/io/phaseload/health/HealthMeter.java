package io.phaseload.health;

import io.phaseload.host.HostFigure;
import io.phaseload.host.HostProbe;
import io.phaseload.host.HostSample;
import io.phaseload.host.JvmUse;
import io.phaseload.host.Measured;
import io.phaseload.host.PoolUse;
import io.phaseload.host.TcpConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Watches the client's process for a time span, with its own thread. Thread-safe. */
public final class HealthMeter implements AutoCloseable {

    /** In less time than this, a CPU's ticks say little. */
    private static final long LEAST_NANOS = Duration.ofMillis(250).toNanos();

    private final JvmUse use = new JvmUse();
    private final StallWatch stalls;
    private final Thread thread;
    private volatile boolean closed;

    // Guarded by this.
    private final HostProbe probe = HostProbe.ofThisSystem(use, HealthMeter::sends);
    private HostSample first;
    private HostSample reported;
    private Optional<HostSample> last = Optional.empty();

    /** Opens the files, which takes some milliseconds, and begins a stretch, without its thread. */
    public HealthMeter() {
        stalls = new StallWatch(use::cpuNanos, use::gcMillis, cores(), System.nanoTime());
        thread = new Thread(this::sleep, "health-hiccup-meter");
        thread.setDaemon(true);
        first = measured(probe.baseline(), Optional.of(LoopLag.NONE), List.of(), Optional.empty());
        reported = first;
    }

    /** Begins the stretch now, and not with the meter. It takes some tenths of a millisecond. */
    public synchronized void begin() {
        first = measured(probe.baseline(), Optional.of(LoopLag.NONE), List.of(), Optional.empty());
        reported = first;
    }

    /** Threads of users and event loops begin with it, and in their JDK's pool virtual threads'. */
    private static boolean sends(String thread) {
        return thread.startsWith("phaseload-") || thread.startsWith("ForkJoinPool-1-");
    }

    private HostSample measured(
            HostSample sample, Optional<LoopLag> lag, List<TcpConnection> connections, Optional<PoolUse> pool) {
        Stalls sofar = stalls.soFar();
        return sample.with(new Measured(
                sofar.total().toNanos(),
                stalls.takeLongestHiccup(),
                lag.map(loop -> loop.late().toNanos()),
                connections,
                pool));
    }

    /**
     * Starts watching for stalls.
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
     * Whether the client was stalled for a tenth or more of a time span that has just ended. Takes a few nanoseconds.
     *
     * @param from its start, as {@link System#nanoTime()}
     * @param to its end
     * @return {@code true} if the client itself may have caused the delay
     */
    public boolean stalledDuring(long from, long to) {
        return stalls.stalledDuring(from, to);
    }

    /**
     * The part of a time span that has just ended in which the client was stalled. Takes a few nanoseconds.
     *
     * @param from its start, as {@link System#nanoTime()}
     * @param to its end
     * @return in nanoseconds; 0 or more
     */
    public long stalledNanos(long from, long to) {
        return stalls.overlap(from, to);
    }

    /**
     * Figures of the client since the start, except to threads that have ended.
     *
     * @param lag the lag of its event loops; empty if it has none
     * @return its health
     */
    public synchronized ClientHealth soFar(Optional<LoopLag> lag) {
        stalls.beat(System.nanoTime());
        HostSample now = measured(probe.read(), lag, List.of(), Optional.empty());
        last = Optional.of(now);
        Duration gc = Duration.ofMillis(
                        now.process().gcMillis() - first.process().gcMillis())
                .minus(stalls.stoppedGc());
        ClientLoad load = new ClientLoad(
                Duration.ofNanos(now.nanos() - first.nanos()),
                Duration.ofNanos(now.process().cpuNanos() - first.process().cpuNanos()),
                cores(),
                gc.isNegative() ? Duration.ZERO : gc);
        return new ClientHealth(
                load,
                stalls.soFar(),
                SystemUse.between(first, now),
                lag.orElse(LoopLag.NONE),
                Optional.empty(),
                List.of());
    }

    /**
     * Figures of the client and its machine since the last call, or since the beginning; after {@link #soFar} until
     * that.
     *
     * @param lag of its event loops; empty if it has none
     * @param connections some of its connections, if they report their state
     * @param pool the state of the pool that its users share; empty if they share none
     * @return by names of {@link HostFigure}; nothing if it was less than a quarter of a second
     */
    public synchronized Map<String, Double> sinceLast(
            Optional<LoopLag> lag, List<TcpConnection> connections, Optional<PoolUse> pool) {
        long end = last.map(HostSample::nanos).orElseGet(System::nanoTime);
        if (end - reported.nanos() < LEAST_NANOS) {
            return Map.of();
        }
        HostSample now = last.orElseGet(() -> measured(probe.read(), lag, connections, pool));
        HostSample before = reported;
        reported = now;
        return HostFigure.allBetween(before, now);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Ends the thread, and closes the files. */
    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
        probe.close();
    }
}
