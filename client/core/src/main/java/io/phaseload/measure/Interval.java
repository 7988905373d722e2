package io.phaseload.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What ended in one stretch of a phase, about a second long. A request belongs to the interval in
 * which it was recorded, at its end.
 *
 * @param phase the phase's name
 * @param start of the interval, since the run's start
 * @param length from there to its end
 * @param operations one per operation of the scenario, in order; not to be changed
 * @param server what the target reported about itself at its end; empty if it wasn't asked
 */
public record Interval(
        String phase,
        Duration start,
        Duration length,
        List<Tally> operations,
        Optional<ServerFigures> server) {

    /**
     * An interval in which the target wasn't asked.
     *
     * @param phase the phase's name
     * @param start of the interval, since the run's start
     * @param length from there to its end
     * @param operations one per operation of the scenario, in order; not to be changed
     */
    public Interval(String phase, Duration start, Duration length, List<Tally> operations) {
        this(phase, start, length, operations, Optional.empty());
    }

    /**
     * This interval with what the target said.
     *
     * @param figures of its end
     * @return a copy
     */
    public Interval with(ServerFigures figures) {
        return new Interval(phase, start, length, operations, Optional.of(figures));
    }
}
