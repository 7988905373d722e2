package io.phaseload.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Delays of requests, which can be ended early when the server can't wait any longer. */
final class Delays {

    private final Set<Thread> sleeping = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /**
     * Sleeps.
     *
     * @return whether it slept for the whole time
     */
    boolean sleep(long millis) {
        Thread self = Thread.currentThread();
        sleeping.add(self);
        try {
            // After the add: either this sees that it is over, or wakeAll() sees this thread.
            if (over) {
                return false;
            }
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            // The flag stays off: otherwise writing the response would close the connection.
            return false;
        } finally {
            sleeping.remove(self);
        }
    }

    /** Ends all delays, now and later. */
    void wakeAll() {
        over = true;
        sleeping.forEach(Thread::interrupt);
    }
}
