package io.phaseload.engine;

import io.phaseload.plan.Load;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.Schedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The intended requests of an open phase, handed out to whoever is free. A free user claims the
 * next one and waits for its time; so a claim later than its time means that nobody was free for
 * it. Thread-safe.
 */
final class Arrivals {

    /**
     * A request to send.
     *
     * @param index 0 for the phase's first
     * @param intendedNanos when to send it, as {@link System#nanoTime()}
     */
    record Arrival(long index, long intendedNanos) {}

    /** Users come to claim after the phase's start, and from one request to the next. */
    private static final long GRACE = Duration.ofMillis(1).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Schedule schedule;
    private final Offsets offsets;
    private final boolean drop;
    private final long startNanos;
    private final long durationNanos;
    private final long limit;

    // Guarded by lock.
    private long next;
    private long dropped;
    private boolean over;

    /**
     * Begins a phase.
     *
     * @param load the phase's
     * @param startNanos the phase's start
     * @param durationNanos no request is intended, and none claimed, from this time after the start
     * @param limit the most requests that are intended
     */
    Arrivals(Load.Open load, long startNanos, long durationNanos, long limit) {
        this.schedule = load.schedule();
        this.offsets = schedule.offsets();
        this.drop = load.overload() == Load.Overload.DROP;
        this.startNanos = startNanos;
        this.durationNanos = durationNanos;
        this.limit = limit;
    }

    /** The next request for the calling user, or {@code null} if there is none any more. */
    Arrival claim() {
        lock.lock();
        try {
            while (!over) {
                long elapsed = System.nanoTime() - startNanos;
                if (elapsed >= durationNanos) {
                    over = true;
                    break;
                }
                long offset = nextOffset();
                if (offset == Offsets.END) {
                    over = true;
                } else if (drop && elapsed - offset > GRACE) {
                    dropped++;
                } else {
                    return new Arrival(next - 1, startNanos + offset);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** How many weren't handed out so far, since nobody was free in time. */
    long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the books, when all users have ended.
     *
     * @param reason why requests that nobody claimed weren't sent
     * @param sent how many were sent
     * @return how many intended requests weren't sent, by reason
     */
    Map<String, Long> notSent(String reason, long sent) {
        lock.lock();
        try {
            long intended = schedule.startsBefore(durationNanos, limit);
            Map<String, Long> notSent = new LinkedHashMap<>();
            if (dropped > 0) {
                notSent.put("dropped", dropped);
            }
            if (intended - dropped > sent) {
                notSent.put(reason, intended - dropped - sent);
            }
            return notSent;
        } finally {
            lock.unlock();
        }
    }

    /** Guarded by lock. */
    private long nextOffset() {
        if (next >= limit) {
            return Offsets.END;
        }
        long offset = offsets.nextNanos();
        if (offset >= durationNanos) {
            return Offsets.END;
        }
        next++;
        return offset;
    }
}
