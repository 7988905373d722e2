package io.phaseload.sweep.trials;

import io.phaseload.options.ValueException;
import io.phaseload.schedule.Rate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One point of a sweep's grid.
 *
 * @param number from 1, in the order of the grid, in which load changes fastest
 * @param values the values of this step by name, in order, as text
 */
public record Step(int number, Map<String, String> values) {

    /** The name of an axis of users. */
    public static final String THREADS = "threads";

    /** The name of an axis of rates. */
    public static final String RATE = "rate";

    /** The name of an axis of durations of the measured window. */
    public static final String DURATION = "duration";

    /**
     * Keeps the values' order.
     *
     * @throws IllegalArgumentException if the rate is one that {@link Rate#parse} doesn't read
     */
    public Step {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        if (values.containsKey(RATE)) {
            try {
                Rate.parse(values.get(RATE));
            } catch (ValueException e) {
                throw e.in("rate " + values.get(RATE));
            }
        }
    }

    /**
     * The values that steps share if they differ only in load.
     *
     * @return all values but threads, rate and duration
     */
    public Map<String, String> group() {
        Map<String, String> group = new LinkedHashMap<>(values);
        group.keySet().removeAll(Set.of(THREADS, RATE, DURATION));
        return group;
    }

    /**
     * Where its trials' results are within the sweep's folder.
     *
     * @return such as {@code step-01}
     */
    public String folder() {
        return String.format(Locale.ROOT, "step-%02d", number);
    }

    /** Such as {@code threads=10, size=1k}. */
    @Override
    public String toString() {
        return text(values);
    }

    /**
     * Values as text.
     *
     * @param values by name
     * @return such as {@code threads=10, size=1k}
     */
    public static String text(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }
}
