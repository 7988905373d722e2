package io.phaseload;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Measures how late this machine wakes a thread that waits, for as long as it is open: what no client and no server of
 * a test can do anything about.
 */
public final class Noise implements AutoCloseable {

    private static final long WAIT = Duration.ofMillis(1).toNanos();

    private final Histogram late = new Histogram(Duration.ofMinutes(1).toNanos(), 3);
    private final Thread thread = new Thread(this::measure, "noise");
    private volatile boolean closed;

    private Noise() {}

    /** Begins to measure. */
    public static Noise start() {
        Noise noise = new Noise();
        noise.thread.setDaemon(true);
        noise.thread.start();
        return noise;
    }

    private void measure() {
        while (!closed) {
            long due = System.nanoTime() + WAIT;
            LockSupport.parkNanos(WAIT);
            late.recordValue(Math.max(0, System.nanoTime() - due));
        }
    }

    /** Ends the measurement. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }

    /** A percentile of how late it was, in milliseconds; to be called when closed. */
    public double millis(double percentile) {
        return late.getValueAtPercentile(percentile) / 1e6;
    }

    @Override
    public String toString() {
        return String.format(
                "a thread that waits is late by p50 %.3f ms, p99 %.3f ms, max %.3f ms",
                millis(50), millis(99), millis(100));
    }
}
