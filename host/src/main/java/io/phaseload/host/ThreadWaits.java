package io.phaseload.host;

import io.phaseload.host.linux.RunQueueWait;
import java.time.Duration;
import java.util.Map;

/**
 * How long threads have waited for a CPU since they began.
 *
 * @param byThread of those that were read
 * @param everyOne for how many threads each of them counts
 */
public record ThreadWaits(Map<String, RunQueueWait> byThread, int everyOne) {

    /** Keeps the waits from being changed. */
    public ThreadWaits {
        byThread = Map.copyOf(byThread);
    }

    /**
     * The growth since an earlier reading.
     *
     * @param before the earlier one
     * @return of threads that are still there; those that weren't there before began with nothing
     */
    public RunQueueWait since(ThreadWaits before) {
        RunQueueWait none = new RunQueueWait(Duration.ZERO, 0);
        RunQueueWait sum = none;
        for (Map.Entry<String, RunQueueWait> thread : byThread.entrySet()) {
            RunQueueWait earlier = before.byThread.getOrDefault(thread.getKey(), none);
            sum = sum.plus(thread.getValue().minus(earlier));
        }
        return sum.times(everyOne);
    }
}
