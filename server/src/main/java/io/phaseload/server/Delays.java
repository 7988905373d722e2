package io.phaseload.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that do nothing for a while, and can be woken when the server can't wait any longer. */
final class Delays {

    private final Set<Thread> sleeping = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /**
     * Sleeps.
     *
     * @return whether it slept to the end
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
            // The flag stays off: with it, writing the answer would close the connection instead.
            return false;
        } finally {
            sleeping.remove(self);
        }
    }

    /** Ends every delay, those to come too. */
    void wakeAll() {
        over = true;
        sleeping.forEach(Thread::interrupt);
    }
}
