package io.phaseload.measure;

import io.phaseload.measure.times.StatusCounts;
import io.phaseload.timing.InstanceState;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts what no histogram holds of requests.
 *
 * <p>Not thread-safe: it is owned by one {@link Tally}.
 */
final class RequestCounts {

    private static final InstanceState[] STATES = InstanceState.values();

    private final StatusCounts statuses = new StatusCounts();
    private final long[] instances = new long[STATES.length];
    private long failedResponses;
    private long censored;
    private long bytesReceived;
    private long reconnects;
    private long resent;

    void add(Exchange exchange) {
        if (exchange.instance() != null) {
            instances[exchange.instance().ordinal()]++;
        }
        bytesReceived += exchange.bytesReceived();
        if (exchange.status() > 0) {
            statuses.add(exchange.status(), 1);
        }
        if (exchange.reconnected()) {
            reconnects++;
        }
        resent += exchange.resent();
        Outcome outcome = exchange.outcome();
        if (outcome instanceof Outcome.Success) {
            return;
        }
        if (outcome.responded()) {
            failedResponses++;
        }
        if (outcome.censored()) {
            censored++;
        }
    }

    void add(RequestCounts other) {
        for (int i = 0; i < STATES.length; i++) {
            instances[i] += other.instances[i];
        }
        failedResponses += other.failedResponses;
        censored += other.censored;
        bytesReceived += other.bytesReceived;
        reconnects += other.reconnects;
        resent += other.resent;
        statuses.add(other.statuses);
    }

    /** Adds stored counters, of which so many responses are those of requests that succeeded. */
    void add(Counters stored, long succeeded) {
        failedResponses += stored.responses() - succeeded;
        censored += stored.censored();
        bytesReceived += stored.bytesReceived();
        reconnects += stored.reconnects();
        resent += stored.resent();
        stored.statuses().forEach(statuses::add);
        stored.instances().forEach((state, count) -> instances[state.ordinal()] += count);
    }

    void reset() {
        Arrays.fill(instances, 0);
        failedResponses = 0;
        censored = 0;
        bytesReceived = 0;
        reconnects = 0;
        resent = 0;
        statuses.clear();
    }

    /** Complete responses of requests that failed. */
    long failedResponses() {
        return failedResponses;
    }

    /**
     * The counters as they are now.
     *
     * @param responses complete ones, of requests that failed or succeeded
     */
    Counters counters(long responses) {
        Map<InstanceState, Long> states = new EnumMap<>(InstanceState.class);
        for (InstanceState state : STATES) {
            if (instances[state.ordinal()] > 0) {
                states.put(state, instances[state.ordinal()]);
            }
        }
        return new Counters(responses, censored, bytesReceived, reconnects, resent, statuses.byCode(), states);
    }
}
