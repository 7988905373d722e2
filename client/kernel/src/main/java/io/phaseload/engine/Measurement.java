package io.phaseload.engine;

import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Phase;
import io.phaseload.run.EngineUse;
import io.phaseload.run.LoadEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measurements of one run.
 *
 * @param wall from the run's beginning to the end of its last phase
 * @param phases one per phase of the plan, in order
 * @param interrupted true if somebody stopped the run before its end
 * @param fault why the engine itself couldn't go on, if so; what it measured until then is kept
 * @param changes of the load while it ran, in order
 */
public record Measurement(
        EngineUse engine,
        Instant startedAt,
        Duration wall,
        List<PhaseMeasurement> phases,
        boolean interrupted,
        Optional<Throwable> fault,
        List<LoadEvent> changes) {

    /**
     * A part of a phase between two changes of its load.
     *
     * @param from its beginning, since the phase's start
     * @param length the time that it lasted
     * @param load its rate such as {@code 100/s}, its number of users, or {@code paused}; several if the client was too
     *     busy to tell their requests apart
     * @param requests those that ended in it
     */
    public record Segment(Duration from, Duration length, String load, Tally requests) {}

    /**
     * The measurement of one phase.
     *
     * @param phase the phase
     * @param startedAt the time when its users were released; empty if it was never reached
     * @param wall from then to the last user's end
     * @param asked requests that the plan asked for; in a timed phase, those that were sent
     * @param notSent the number of them that weren't sent, by reason
     * @param operations one per operation of the scenario, in order
     * @param journeys one per journey, then one per group of steps; none without journeys
     * @param client the figures of the client itself
     * @param sample some of its requests, one by one
     * @param segments the parts between changes of its load; none if it wasn't changed
     */
    public record PhaseMeasurement(
            Phase phase,
            int users,
            Optional<Instant> startedAt,
            Duration wall,
            long asked,
            Map<String, Long> notSent,
            List<Tally> operations,
            List<Tally> journeys,
            ClientHealth client,
            RequestSample sample,
            List<Segment> segments) {

        /** Packs the tallies: those of all phases are held at once. */
        public PhaseMeasurement {
            operations.forEach(Tally::pack);
            journeys.forEach(Tally::pack);
        }
    }
}
