package io.phaseload.engine.threads;

import io.phaseload.user.TimerLead;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One user's waits until it is time to send. Used by its thread alone. */
final class ArrivalWait {

    /** The longest time in which a stop may go unnoticed. */
    private static final long SLICE = Duration.ofMillis(20).toNanos();

    private final TimerLead lead = new TimerLead();

    /** Waits until a point of {@link System#nanoTime()}, or until it is called off; returns the time then. */
    long until(long nanos, BooleanSupplier calledOff) {
        while (true) {
            long now = System.nanoTime();
            long left = nanos - now;
            if (left <= 0 || calledOff.getAsBoolean()) {
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
