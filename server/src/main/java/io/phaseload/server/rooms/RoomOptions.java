package io.phaseload.server.rooms;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The faults that a connection's query requests for its messages. Every Nth means the Nth, the 2Nth and so on, so that
 * a client can compute beforehand what must arrive.
 *
 * @param delay the time that the room keeps each message
 * @param lose every how many messages one is not delivered; 0 for none
 * @param repeat every how many messages one is delivered twice; 0 for none
 * @param swap every how many messages one is delivered after the next one; 0 for none
 * @param after with which message the room stops reading for {@code stall}, or closes the connection
 * @param stall the time that the room stops reading from the connection
 * @param close the code with which the room closes the connection; 0 to leave it open
 */
record RoomOptions(Mode mode, Duration delay, int lose, int repeat, int swap, int after, Duration stall, int close) {

    private static final int MAX_MILLIS = 60_000;
    private static final int MAX_COUNT = 1_000_000_000;
    private static final int LEAST_CODE = 1000;
    private static final int MOST_CODE = 4999;

    /** The receivers of a message. */
    enum Mode {
        /** All in the room but the sender. */
        RELAY,
        /** The sender alone. */
        ECHO,
        /** All in the room. */
        BROADCAST
    }

    /**
     * Reads a query.
     *
     * @throws IllegalArgumentException naming the parameter and what is allowed
     */
    static RoomOptions of(Map<String, List<String>> query) {
        return new RoomOptions(
                mode(query),
                Duration.ofMillis(number(query, "delay", 0, MAX_MILLIS)),
                number(query, "lose", 1, MAX_COUNT),
                number(query, "repeat", 1, MAX_COUNT),
                number(query, "swap", 2, MAX_COUNT),
                number(query, "after", 1, MAX_COUNT),
                Duration.ofMillis(number(query, "stall", 0, MAX_MILLIS)),
                number(query, "close", LEAST_CODE, MOST_CODE));
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

    private static Mode mode(Map<String, List<String>> query) {
        List<String> values = query.getOrDefault("mode", List.of("relay"));
        for (Mode mode : Mode.values()) {
            if (values.equals(List.of(mode.name().toLowerCase(Locale.ROOT)))) {
                return mode;
            }
        }
        throw new IllegalArgumentException("mode: expected relay, echo or broadcast");
    }

    private static int number(Map<String, List<String>> query, String name, int least, int most) {
        List<String> values = query.getOrDefault(name, List.of());
        if (values.isEmpty()) {
            return 0;
        }
        if (values.size() == 1 && values.get(0).matches("[0-9]{1,10}")) {
            long value = Long.parseLong(values.get(0));
            if (value >= least && value <= most) {
                return (int) value;
            }
        }
        throw new IllegalArgumentException("%s: expected a whole number from %d to %d".formatted(name, least, most));
    }
}
