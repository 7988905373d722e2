package io.phaseload.server.streams;

import java.util.Map;

/**
 * A query's settings of a stream of events.
 *
 * @param count the number of events that there are, whose ids begin with 1
 * @param firstMillis from the request to its first event
 * @param gapMillis from an event to the next one
 * @param after after how many events of a response it stalls; 0 for never
 * @param end after how many events each response ends, as if it were whole; 0 for never
 * @param cut after how many events each connection breaks; 0 for never
 * @param skip the number of events that are left out when a client asks for those after the last one
 * @param repeat the number of its earlier events that are sent again then
 * @param retryMillis the time that clients are to wait before they ask again; 0 if that isn't said
 * @param type of the response's content
 */
public record StreamOptions(
        int count,
        int firstMillis,
        int gapMillis,
        int after,
        int stallMillis,
        int end,
        int cut,
        int skip,
        int repeat,
        int retryMillis,
        String type) {

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
                number(query, "after", 0, MAX_COUNT),
                number(query, "stall", 0, MAX_MILLIS),
                number(query, "end", 0, MAX_COUNT),
                number(query, "cut", 0, MAX_COUNT),
                number(query, "skip", 0, MAX_COUNT),
                number(query, "repeat", 0, MAX_COUNT),
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
        return firstMillis + (long) gapMillis * index + (after > 0 && index >= after ? stallMillis : 0);
    }

    /**
     * The first event for a client.
     *
     * @param lastId the last one that it says it had; 0 for none
     * @return its id; more than {@link #count()} if there is none
     */
    public int firstId(int lastId) {
        return lastId == 0 ? 1 : Math.max(1, lastId + 1 + skip - repeat);
    }
}
