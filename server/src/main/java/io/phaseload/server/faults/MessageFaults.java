package io.phaseload.server.faults;

import java.time.Duration;

/**
 * The faults that a connection's query requests for its messages. Every Nth means the Nth, the 2Nth and so on, so that
 * a client can compute beforehand what must arrive.
 *
 * @param lose every how many messages one is not delivered; 0 for none
 * @param repeat every how many messages one is delivered twice; 0 for none
 * @param swap every how many messages one is delivered after the next one; 0 for none
 * @param after with which message the room stops reading for {@code stall}, or closes the connection
 * @param stall the time that the room stops reading from the connection
 * @param close the code with which the room closes the connection; 0 to leave it open
 */
public record MessageFaults(int lose, int repeat, int swap, int after, Duration stall, int close) {

    private static final int MAX_MILLIS = 60_000;
    private static final int MAX_COUNT = 1_000_000_000;
    private static final int LEAST_CODE = 1000;
    private static final int MOST_CODE = 4999;

    /** The numbers of a query. */
    @FunctionalInterface
    public interface QueryNumbers {

        /**
         * Reads a number.
         *
         * @param name the parameter's
         * @return the number, from {@code least} to {@code most}; 0 without the parameter
         * @throws IllegalArgumentException naming the parameter and what is allowed
         */
        int read(String name, int least, int most);
    }

    /**
     * Reads a query.
     *
     * @param query its numbers
     * @throws IllegalArgumentException naming the parameter and what is allowed
     */
    public static MessageFaults of(QueryNumbers query) {
        return new MessageFaults(
                query.read("lose", 1, MAX_COUNT),
                query.read("repeat", 1, MAX_COUNT),
                query.read("swap", 2, MAX_COUNT),
                query.read("after", 1, MAX_COUNT),
                Duration.ofMillis(query.read("stall", 0, MAX_MILLIS)),
                query.read("close", LEAST_CODE, MOST_CODE));
    }

    boolean isLost(long number) {
        return isEvery(lose, number);
    }

    boolean isRepeated(long number) {
        return isEvery(repeat, number);
    }

    boolean isSwapped(long number) {
        return isEvery(swap, number);
    }

    private static boolean isEvery(int nth, long number) {
        return nth > 0 && number % nth == 0;
    }
}
