package io.phaseload.server.streams;

import io.phaseload.server.faults.StreamFaults;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A query's settings of a stream of events.
 *
 * @param count the number of events that there are, whose ids begin with 1
 * @param firstMillis from the request to its first event
 * @param gapMillis from an event to the next one
 * @param faults those that the query requests; empty without any, which is the rule
 * @param retryMillis the time that clients are to wait before they ask again; 0 if that isn't said
 * @param type of the response's content
 */
public record StreamOptions(
        int count, int firstMillis, int gapMillis, Optional<StreamFaults> faults, int retryMillis, String type) {

    /** The parameters that request a fault. */
    private static final Set<String> FAULTS = Set.of("after", "stall", "end", "cut", "skip", "repeat");

    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_MILLIS = 60_000;
    private static final String TYPE = "text/event-stream";

    /**
     * Reads a query.
     *
     * @param query its parameters
     * @param count of events, unless it says another one
     * @throws IllegalArgumentException naming the parameter and what is allowed
     */
    public static StreamOptions of(Map<String, String[]> query, int count) {
        return new StreamOptions(
                number(query, "count", count, MAX_COUNT),
                number(query, "first", 0, MAX_MILLIS),
                number(query, "gap", 0, MAX_MILLIS),
                Collections.disjoint(query.keySet(), FAULTS)
                        ? Optional.empty()
                        : Optional.of(
                                StreamFaults.of((name, most) -> number(query, name, 0, most), MAX_COUNT, MAX_MILLIS)),
                number(query, "retry", 0, MAX_MILLIS),
                query.containsKey("type") ? query.get("type")[0] : TYPE);
    }

    private static int number(Map<String, String[]> query, String name, int otherwise, int most) {
        String[] values = query.get(name);
        if (values == null) {
            return otherwise;
        }
        if (values.length == 1 && values[0].matches("[0-9]{1,9}")) {
            int value = Integer.parseInt(values[0]);
            if (value <= most) {
                return value;
            }
        }
        throw new IllegalArgumentException("%s: expected a whole number from 0 to %d".formatted(name, most));
    }

    /**
     * When an event is due.
     *
     * @param index its number in a response, from 0
     * @return in milliseconds since the request
     */
    public long dueMillis(int index) {
        return firstMillis
                + (long) gapMillis * index
                + faults.map(of -> of.lateMillis(index)).orElse(0);
    }

    /**
     * The first event for a client.
     *
     * @param lastId the last one that it says it had; 0 for none
     * @return its id; more than {@link #count()} if there is none
     */
    public int firstId(int lastId) {
        return lastId == 0 ? 1 : faults.map(of -> of.nextId(lastId)).orElse(lastId + 1);
    }

    /**
     * Whether a response ends, as if it were whole.
     *
     * @param sent the number of its events so far
     */
    public boolean endsAfter(int sent) {
        return faults.filter(of -> sent == of.end()).isPresent();
    }

    /**
     * Whether a connection breaks.
     *
     * @param sent the number of its events so far
     */
    public boolean breaksAfter(int sent) {
        return faults.filter(of -> sent == of.cut()).isPresent();
    }
}
