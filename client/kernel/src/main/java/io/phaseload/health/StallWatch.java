package io.phaseload.health;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Finds stalls from the times at which a thread that only sleeps wakes up, as jHiccup does (Gil Tene): whatever delays
 * it also delays the threads that read responses. One thread calls {@link #beat}; {@link #stalledDuring} may be called
 * by any.
 */
final class StallWatch {

    /** How long the thread sleeps. */
    static final long PERIOD_NANOS = Duration.ofMillis(5).toNanos();

    /**
     * A wake-up that is this late is a stall. Timers are usually late by microseconds; on busy cores, by another
     * thread's time slice, which is about 4 ms at most.
     */
    static final long LEAST_NANOS = Duration.ofMillis(5).toNanos();

    /** From this length on, the process's CPU time tells what caused a stall. */
    private static final long LONG_NANOS = Duration.ofMillis(250).toNanos();

    /** A process's CPU time may be counted in ticks of 10 ms. */
    private static final long CPU_TICKS_NANOS = Duration.ofMillis(20).toNanos();

    /** Reading the CPU time may take this share of the time. */
    private static final long READING_SHARE = 1_000;

    private static final long NEVER_NANOS = Duration.ofDays(10_000).toNanos();

    private record Stall(long startNanos, long endNanos) {}

    private final LongSupplier cpu;
    private final LongSupplier gc;
    private final int cores;
    private volatile long dueNanos;
    private volatile Stall last = new Stall(0, 0);

    // Written by the thread that beats, read by others afterwards.
    private boolean begun;
    private long readNanos;
    private long readCostNanos;
    private long cpuNanos;
    private long gcMillis;
    private long count;
    private long totalNanos;
    private long longestNanos;
    private long longestHiccupNanos;
    private long stoppedNanos;
    private long stoppedGcMillis;

    /**
     * Of a process.
     *
     * @param cpu tells its CPU time, in nanoseconds
     * @param gc tells its time in stop-the-world garbage collections, in milliseconds
     * @param cores processors that it may use
     * @param now as {@link System#nanoTime()}
     */
    StallWatch(LongSupplier cpu, LongSupplier gc, int cores, long now) {
        this.cpu = cpu;
        this.gc = gc;
        this.cores = cores;
        // Nothing is late before the thread has started.
        this.dueNanos = now + NEVER_NANOS;
    }

    /** The thread has started. */
    synchronized void begin(long now) {
        read(now);
        dueNanos = now + PERIOD_NANOS;
        begun = true;
    }

    /** The thread has woken up, or someone checks whether it is late. */
    synchronized void beat(long now) {
        if (!begun) {
            return;
        }
        long late = now - dueNanos;
        longestHiccupNanos = Math.max(longestHiccupNanos, late);
        if (late >= LEAST_NANOS) {
            stalled(dueNanos, now);
        } else if (now - readNanos >= Math.max(PERIOD_NANOS, READING_SHARE * readCostNanos)) {
            read(now);
        }
        dueNanos = now + PERIOD_NANOS;
    }

    private void stalled(long start, long end) {
        long length = end - start;
        last = new Stall(start, end);
        count++;
        totalNanos += length;
        longestNanos = Math.max(longestNanos, length);
        if (length >= LONG_NANOS) {
            long cpuBefore = cpuNanos;
            long gcBefore = gcMillis;
            long readBefore = readNanos;
            read(end);
            long cpuUsed = cpuNanos - cpuBefore;
            long gcUsed = gcMillis - gcBefore;
            boolean collected = gcUsed * 2_000_000 >= length && cpuUsed * 2 >= length;
            long atMost = cores * (start - readBefore) + length / 10 + CPU_TICKS_NANOS;
            if (cpuUsed <= atMost && !collected) {
                stoppedNanos += length;
                // A collection that was under way was stopped, too.
                stoppedGcMillis += gcUsed;
            }
        }
    }

    private void read(long now) {
        long before = System.nanoTime();
        cpuNanos = cpu.getAsLong();
        gcMillis = gc.getAsLong();
        readCostNanos = System.nanoTime() - before;
        readNanos = now;
    }

    /**
     * Whether stalls make up a tenth or more of a time span that has just ended.
     *
     * @param from its start, as {@link System#nanoTime()}
     * @param to its end
     */
    boolean stalledDuring(long from, long to) {
        long overlap = overlap(from, to);
        return overlap > 0 && overlap * 10 >= to - from;
    }

    /**
     * The part of a time span that has just ended in which the client was stalled: the longer of the last stall, and of
     * one that the beating thread hasn't woken up from.
     *
     * @param from its start, as {@link System#nanoTime()}
     * @param to its end
     * @return in nanoseconds; 0 or more
     */
    long overlap(long from, long to) {
        long due = dueNanos;
        long now = to - due >= LEAST_NANOS ? overlap(due, to, from, to) : 0;
        Stall stall = last;
        return Math.max(now, overlap(stall.startNanos, stall.endNanos, from, to));
    }

    private static long overlap(long start, long end, long from, long to) {
        long begin = start - from > 0 ? start : from;
        return Math.max(0, (end - to < 0 ? end : to) - begin);
    }

    synchronized Stalls soFar() {
        return new Stalls(
                count, Duration.ofNanos(totalNanos), Duration.ofNanos(longestNanos), Duration.ofNanos(stoppedNanos));
    }

    /** The latest wake-up since the last call, whether it was a stall or not. */
    synchronized long takeLongestHiccup() {
        long longest = longestHiccupNanos;
        longestHiccupNanos = 0;
        return longest;
    }

    /** Time in garbage collections that is that of a stop. */
    synchronized Duration stoppedGc() {
        return Duration.ofMillis(stoppedGcMillis);
    }
}
