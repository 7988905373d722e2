package io.phaseload.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The slowest successes of an operation, and its first failures of each cause.
 *
 * <p>Not thread-safe: it is owned by one tally.
 */
final class KeptRequests {

    static final int SLOWEST = 10;
    static final int OF_EACH_CAUSE = 3;

    // The slowest first.
    private final List<KeptRequest> slowest = new ArrayList<>();
    private final List<KeptRequest> failed = new ArrayList<>();
    // What no longer counts once it was cleared: so many were as slow as this, and so many failed.
    private long barNanos = -1;
    private final Map<String, Integer> told = new HashMap<>();

    /** Whether a request is to be kept. For all but a few, that is one comparison. */
    boolean wants(Sample sample) {
        Outcome outcome = sample.exchange().outcome();
        return outcome instanceof Outcome.Success
                ? sample.responseNanos() > barNanos
                : told.getOrDefault(outcome.cause().key(), 0) < OF_EACH_CAUSE;
    }

    void add(KeptRequest request) {
        if (request.cause().isPresent()) {
            told.merge(request.cause().get(), 1, Integer::sum);
            insert(request, failed, KeptRequest.BY_CAUSE);
            dropBeyond(request.cause().get());
        } else if (request.responseNanos() > barNanos) {
            insert(request, slowest, KeptRequest.SLOWEST);
            if (slowest.size() > SLOWEST) {
                slowest.remove(SLOWEST);
            }
            if (slowest.size() == SLOWEST) {
                barNanos = slowest.get(SLOWEST - 1).responseNanos();
            }
        }
    }

    void addAll(Collection<KeptRequest> requests) {
        requests.forEach(this::add);
    }

    void addAll(KeptRequests other) {
        addAll(other.slowest);
        addAll(other.failed);
    }

    private static void insert(KeptRequest request, List<KeptRequest> into, Comparator<KeptRequest> order) {
        int place = into.size();
        while (place > 0 && order.compare(request, into.get(place - 1)) < 0) {
            place--;
        }
        into.add(place, request);
    }

    private void dropBeyond(String cause) {
        int kept = 0;
        for (int i = 0; i < failed.size(); i++) {
            if (failed.get(i).cause().orElseThrow().equals(cause) && ++kept > OF_EACH_CAUSE) {
                failed.remove(i);
                return;
            }
        }
    }

    List<KeptRequest> slowest() {
        return slowest;
    }

    List<KeptRequest> failed() {
        return failed;
    }

    /** Forgets them, but not what was slower or failed before. */
    void clear() {
        slowest.clear();
        failed.clear();
    }

    /** An empty one that wants only what this one would. */
    KeptRequests next() {
        KeptRequests next = new KeptRequests();
        next.barNanos = barNanos;
        next.told.putAll(told);
        return next;
    }
}
