package io.phaseload.server.endpoints;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests. Safe for use by any number of threads; figures that are read under load may be from slightly
 * different moments. Without load they are exact: {@code total} then equals the sum by method, and the sum by status
 * plus the aborted ones.
 */
public final class RequestTracker {

    private static final String OTHER = "other";
    private static final int STATUSES = 600;

    private final long started = System.nanoTime();
    private final LongAdder total = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final Map<String, LongAdder> byMethod = new LinkedHashMap<>();
    private final LongAdder[] byStatus = new LongAdder[STATUSES];
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger peakInFlight = new AtomicInteger();
    private final LongAdder events = new LongAdder();
    private volatile boolean draining;

    public RequestTracker() {
        // All created beforehand, so that the map is only read.
        for (String method :
                new String[] {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", OTHER}) {
            byMethod.put(method, new LongAdder());
        }
        for (int status = 0; status < STATUSES; status++) {
            byStatus[status] = new LongAdder();
        }
    }

    /** Records a request, once, before anything else. */
    void arrived(String method) {
        total.increment();
        LongAdder counter = byMethod.get(method);
        (counter == null ? byMethod.get(OTHER) : counter).increment();
        int now = inFlight.incrementAndGet();
        int peak = peakInFlight.get();
        while (now > peak && !peakInFlight.compareAndSet(peak, now)) {
            peak = peakInFlight.get();
        }
    }

    /** Records that a response was handed to the operating system. */
    void answered(int status) {
        byStatus[status].increment();
        inFlight.decrementAndGet();
    }

    /** Records that a request's body couldn't be read, or its response couldn't be sent completely. */
    void aborted() {
        aborted.increment();
        inFlight.decrementAndGet();
    }

    /** Records that an event of a stream was handed to the operating system. */
    void eventSent() {
        events.increment();
    }

    public long events() {
        return events.sum();
    }

    /** From now on, responses close their connection. */
    public void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    public long total() {
        return total.sum();
    }

    long abortedTotal() {
        return aborted.sum();
    }

    public int inFlight() {
        return inFlight.get();
    }

    int peakInFlight() {
        return peakInFlight.get();
    }

    long uptimeNanos() {
        return System.nanoTime() - started;
    }

    /** The methods that occurred, and how often. */
    Map<String, Long> byMethod() {
        Map<String, Long> counts = new LinkedHashMap<>();
        byMethod.forEach((method, counter) -> putIfAny(counts, method, counter));
        return counts;
    }

    /** The statuses that occurred, and how often, in ascending order. */
    Map<Integer, Long> byStatus() {
        Map<Integer, Long> counts = new TreeMap<>();
        for (int status = 0; status < STATUSES; status++) {
            putIfAny(counts, status, byStatus[status]);
        }
        return counts;
    }

    private static <K> void putIfAny(Map<K, Long> counts, K key, LongAdder counter) {
        long count = counter.sum();
        if (count > 0) {
            counts.put(key, count);
        }
    }
}
