package io.phaseload.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A user's wait for the time at which it is to send. */
final class Waiting {

    /** How long a stop may go unnoticed. */
    private static final long SLICE = Duration.ofMillis(20).toNanos();

    private Waiting() {}

    /** Waits until a point of {@link System#nanoTime()}; returns false if stopped before. */
    static boolean until(long nanos, AtomicBoolean stop) {
        while (true) {
            if (stop.get()) {
                return false;
            }
            long left = nanos - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(Math.min(left, SLICE));
        }
    }
}
