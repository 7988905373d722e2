package io.phaseload.engine.threads;

import io.phaseload.engine.RunControl;
import io.phaseload.user.TimerLead;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** One user's waits until it is time to send. Used by its thread alone. */
final class ArrivalWait {

    /** The longest time in which a stop may go unnoticed. */
    private static final long SLICE = Duration.ofMillis(20).toNanos();

    private final TimerLead lead = new TimerLead();

    /** Waits until a point of {@link System#nanoTime()} or a stop; returns the time then. */
    long until(long nanos, RunControl control) {
        while (true) {
            long now = System.nanoTime();
            long left = nanos - now;
            if (left <= 0 || control.stopped()) {
                return now;
            }
            if (left <= lead.nanos()) {
                Thread.onSpinWait();
            } else {
                long wait = Math.min(left - lead.nanos(), SLICE);
                LockSupport.parkNanos(wait);
                lead.woke(System.nanoTime() - now - wait);
            }
        }
    }
}
