package io.phaseload.measure;

import java.util.Map;

/**
 * What was known of the client or of the target at the end of an interval.
 *
 * @param values finite numbers by name; one that isn't known is missing
 */
public record HostFigures(Map<String, Double> values) {

    /** Nothing was known: a target didn't answer, or not in time. */
    public static final HostFigures GAP = new HostFigures(Map.of());

    /** Keeps the values from being changed. */
    public HostFigures {
        values = Map.copyOf(values);
    }

    /**
     * Whether there is nothing in it.
     *
     * @return {@code true} if there is no value
     */
    public boolean isGap() {
        return values.isEmpty();
    }
}
