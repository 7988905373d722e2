package io.phaseload.server.endpoints;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Delays of requests, which can be ended early when the server can't wait any longer. */
public final class Delays {

    private final Set<Thread> sleeping = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /**
     * Sleeps.
     *
     * @return true if it slept for the whole time
     */
    public boolean sleep(long millis) {
        return sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /**
     * Sleeps.
     *
     * @param nanos until when, as {@link System#nanoTime()}
     */
    boolean sleepUntil(long nanos) {
        long left = nanos - System.nanoTime();
        while (left > 0) {
            if (!sleepNanos(left)) {
                return false;
            }
            left = nanos - System.nanoTime();
        }
        return !over;
    }

    private boolean sleepNanos(long nanos) {
        Thread self = Thread.currentThread();
        sleeping.add(self);
        try {
            // After the add: either this sees that it is over, or wakeAll() sees this thread.
            if (over) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            // The flag stays off: otherwise writing the response would close the connection.
            return false;
        } finally {
            sleeping.remove(self);
        }
    }

    /** Ends all delays, now and later. */
    public void wakeAll() {
        over = true;
        sleeping.forEach(Thread::interrupt);
    }
}
