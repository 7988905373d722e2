package io.phaseload.prove;

import io.phaseload.measure.recording.RequestSink;
import io.phaseload.plan.Phase;
import io.phaseload.run.RunListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Remembers the spans of a run's requests, by which a log can name each of them. Thread-safe. */
public final class SentIds implements RunListener {

    /** About 100 bytes each. */
    private static final int MOST = 2_000_000;

    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    /** Makes one without requests. */
    public SentIds() {}

    @Override
    public Optional<RequestSink> requests(Phase phase) {
        return Optional.of((started, request, trace) -> {
            requests.incrementAndGet();
            if (trace != null && statuses.size() < MOST) {
                statuses.merge(trace.spanId(), request.status(), (one, other) -> -1);
            }
        });
    }

    /** The status that each request received, 0 without a response; empty unless each request has an id of its own. */
    Map<String, Integer> statuses() {
        boolean all = statuses.size() == requests.get() && !statuses.containsValue(-1);
        return all ? Map.copyOf(statuses) : Map.of();
    }
}
