package io.phaseload.host;

import io.phaseload.host.linux.Sockets;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The figures of a process that is asked for them now and then, by one or by several who don't know of each other: of
 * the time since it was last asked, but of three quarters of a second at least. Takes nothing while nobody asks.
 * Thread-safe.
 */
public final class RecentFigures implements Closeable {

    private static final long LEAST_NANOS = 750_000_000;

    /** Whoever asks earlier gets the same answer. */
    private static final long REST_NANOS = 100_000_000;

    private final HostProbe probe;
    private final Supplier<HostSample> reader;
    private final LongSupplier clock;

    // Guarded by this. In order of time; what is asked for now is compared with the first.
    private final Deque<HostSample> samples = new ArrayDeque<>();
    private Recent recent = new Recent(Map.of(), Optional.empty());

    /**
     * The current knowledge.
     *
     * @param figures by names of {@link HostFigure}
     * @param sockets of the network namespace; now and then only, if they take long to read
     */
    public record Recent(Map<String, Double> figures, Optional<Sockets> sockets) {}

    private RecentFigures(HostProbe probe) {
        this(probe, probe.baseline(), probe::read, System::nanoTime);
    }

    RecentFigures(HostProbe probe, HostSample first, Supplier<HostSample> reader, LongSupplier clock) {
        this.probe = probe;
        this.reader = reader;
        this.clock = clock;
        samples.add(first);
    }

    /**
     * Those of this process and its machine.
     *
     * @return its first figures are those since now
     */
    public static RecentFigures ofThisProcess() {
        return new RecentFigures(HostProbe.ofThisSystem(new JvmUse(), thread -> true));
    }

    /**
     * Asks.
     *
     * @return no figures in the first tenth of a second
     */
    public synchronized Recent now() {
        if (clock.getAsLong() - samples.getLast().nanos() < REST_NANOS) {
            return recent;
        }
        HostSample now = reader.get();
        dropThoseBefore(now.nanos() - LEAST_NANOS);
        recent = new Recent(
                HostFigure.allBetween(samples.getFirst(), now), now.network().sockets());
        samples.add(now);
        return recent;
    }

    /** But for the last one of them. */
    private void dropThoseBefore(long nanos) {
        HostSample first = samples.removeFirst();
        while (!samples.isEmpty() && samples.getFirst().nanos() - nanos <= 0) {
            first = samples.removeFirst();
        }
        samples.addFirst(first);
    }

    /** Closes the files; whoever asks after that opens them again. */
    @Override
    public synchronized void close() {
        probe.close();
    }
}
