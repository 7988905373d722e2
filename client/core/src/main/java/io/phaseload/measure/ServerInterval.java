package io.phaseload.measure;

import java.time.Duration;
import java.util.Map;

/**
 * What the target said of itself at the end of one stretch of a phase, about a second long.
 *
 * @param phase the phase's name
 * @param start of the interval, since the run's start
 * @param length from there to its end
 * @param figures by name, finite numbers; one that it didn't tell is missing, and if it told
 *     nothing at all they are empty
 */
public record ServerInterval(
        String phase, Duration start, Duration length, Map<String, Double> figures) {

    /** Keeps the figures from being changed. */
    public ServerInterval {
        figures = Map.copyOf(figures);
    }
}
