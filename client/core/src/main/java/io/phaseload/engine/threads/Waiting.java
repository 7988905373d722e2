package io.phaseload.engine.threads;

import io.phaseload.engine.RunControl;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A user's wait until it is time to send. */
final class Waiting {

    /** The longest time in which a stop may go unnoticed. */
    private static final long SLICE = Duration.ofMillis(20).toNanos();

    private Waiting() {}

    /** Waits until a point of {@link System#nanoTime()} or a stop; returns the time then. */
    static long until(long nanos, RunControl control) {
        while (true) {
            long now = System.nanoTime();
            long left = nanos - now;
            if (left <= 0 || control.stopped()) {
                return now;
            }
            LockSupport.parkNanos(Math.min(left, SLICE));
        }
    }
}
