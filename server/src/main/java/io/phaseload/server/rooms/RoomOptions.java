package io.phaseload.server.rooms;

import io.phaseload.server.faults.MessageFaults;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The course of a connection's messages, which its query requests.
 *
 * @param delay the time that the room keeps each message
 * @param faults those that the query requests; empty without any, which is the rule
 */
record RoomOptions(Mode mode, Duration delay, Optional<MessageFaults> faults) {

    private static final int MAX_MILLIS = 60_000;

    /** The parameters that request a fault. */
    private static final Set<String> FAULTS = Set.of("lose", "repeat", "swap", "after", "stall", "close");

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
                Collections.disjoint(query.keySet(), FAULTS)
                        ? Optional.empty()
                        : Optional.of(MessageFaults.of((name, least, most) -> number(query, name, least, most))));
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
