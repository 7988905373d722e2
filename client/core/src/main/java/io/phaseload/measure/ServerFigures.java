package io.phaseload.measure;

import java.util.Map;

/**
 * What the target reported about itself when it was asked once.
 *
 * @param values finite numbers by name; one that it didn't report is missing
 */
public record ServerFigures(Map<String, Double> values) {

    /** It didn't answer, or not in time. */
    public static final ServerFigures GAP = new ServerFigures(Map.of());

    /** Keeps the values from being changed. */
    public ServerFigures {
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
