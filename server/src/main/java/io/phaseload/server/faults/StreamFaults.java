package io.phaseload.server.faults;

import java.util.function.ToIntBiFunction;

/**
 * The faults that a query requests for its stream of events.
 *
 * @param after after how many events of a response it stalls; 0 for never
 * @param stallMillis the length of the stall
 * @param end after how many events each response ends, as if it were whole; 0 for never
 * @param cut after how many events each connection breaks; 0 for never
 * @param skip the number of events that are left out when a client asks for those after the last one
 * @param repeat the number of its earlier events that are sent again then
 */
public record StreamFaults(int after, int stallMillis, int end, int cut, int skip, int repeat) {

    /**
     * Reads a query.
     *
     * @param numbers the number of a parameter, at most the second argument; 0 without the parameter
     * @param maxCount the most events
     * @param maxMillis the longest stall
     */
    public static StreamFaults of(ToIntBiFunction<String, Integer> numbers, int maxCount, int maxMillis) {
        return new StreamFaults(
                numbers.applyAsInt("after", maxCount),
                numbers.applyAsInt("stall", maxMillis),
                numbers.applyAsInt("end", maxCount),
                numbers.applyAsInt("cut", maxCount),
                numbers.applyAsInt("skip", maxCount),
                numbers.applyAsInt("repeat", maxCount));
    }

    /**
     * How much later an event is due.
     *
     * @param index its number in a response, from 0
     * @return in milliseconds
     */
    public int lateMillis(int index) {
        return after > 0 && index >= after ? stallMillis : 0;
    }

    /**
     * The first event for a client that asks for those after another one.
     *
     * @param lastId the last one that it says it had
     * @return its id
     */
    public int nextId(int lastId) {
        return Math.max(1, lastId + 1 + skip - repeat);
    }
}
