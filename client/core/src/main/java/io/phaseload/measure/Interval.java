package io.phaseload.measure;

import java.time.Duration;
import java.util.List;

/**
 * What ended in one stretch of a phase, about a second long. A request belongs to the interval in
 * which it was recorded, at its end.
 *
 * @param phase the phase's name
 * @param start of the interval, since the run's start
 * @param length from there to its end
 * @param operations one an operation of the scenario, in order; not to be changed
 */
public record Interval(String phase, Duration start, Duration length, List<Tally> operations) {}
