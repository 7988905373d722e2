package io.phaseload.plan.engine;

import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import java.nio.charset.StandardCharsets;

/**
 * Messages as MQTT 3.1.1 carries them: senders publish, receivers subscribe.
 *
 * @param topic the topic, in which <code>{pair}</code> is the pair's number
 * @param qos the quality of service of messages and subscriptions: 0 (at most once) or 1 (at least once)
 */
public record Mqtt(String topic, int qos) {

    private static final int LONGEST = 65_535;

    /** A pair's number in place of its name. */
    private static final int MOST_DIGITS = 10;

    /**
     * Checks both.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Mqtt {
        Limit.QOS.check(qos);
        int length = topic.getBytes(StandardCharsets.UTF_8).length + MOST_DIGITS;
        if (topic.isEmpty() || length > LONGEST || topic.chars().anyMatch(c -> c == '+' || c == '#' || c == 0)) {
            throw new ValueException("topic '%s'".formatted(topic), "a name such as rooms/{pair}, without + and #");
        }
    }

    /**
     * The topic of a pair.
     *
     * @param pair its number
     * @return the name
     */
    public String topic(long pair) {
        return topic.replace("{pair}", Long.toString(pair));
    }
}
