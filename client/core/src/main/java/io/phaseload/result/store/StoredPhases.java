package io.phaseload.result.store;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.Measurement.Segment;
import io.phaseload.engine.StalledTime;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The phases of a stored run.
 *
 * @param plan of the run
 * @param json the whole of {@code result.json}
 * @param startedAt the time when the run began
 */
record StoredPhases(Plan plan, JsonNode json, Instant startedAt) {

    /**
     * The measurement of a phase.
     *
     * @param intervals those that are wanted
     * @param uncut true if these are all of the phase's
     */
    PhaseMeasurement measured(Phase phase, List<Interval> intervals, boolean uncut) {
        JsonNode stored = stored(phase);
        Duration wall = intervals.stream().map(Interval::length).reduce(Duration.ZERO, Duration::plus);
        if (uncut && stored.has("wallSeconds")) {
            wall = seconds(stored.path("wallSeconds"));
        }
        List<Tally> operations = Tallies.sumEach(
                plan.scenario().operations().size(),
                intervals.stream().map(Interval::operations).toList());
        List<Tally> journeys = Tallies.sumEach(
                plan.scenario().timed().size(),
                intervals.stream().map(Interval::journeys).toList());
        long sent = operations.stream().mapToLong(Tally::requests).sum();
        Map<String, Long> notSent = new TreeMap<>();
        if (uncut) {
            stored.path("notSent")
                    .properties()
                    .forEach(reason ->
                            notSent.put(reason.getKey(), reason.getValue().asLong()));
        }
        return new PhaseMeasurement(
                phase,
                threads(phase),
                intervals.isEmpty() ? Optional.empty() : Optional.of(startOf(stored, intervals)),
                wall,
                sent + notSent.values().stream().mapToLong(Long::longValue).sum(),
                notSent,
                operations,
                journeys,
                StoredClient.read(
                        stored.path("client"),
                        json.path("environment").path("cores").asInt(1),
                        wall,
                        StalledTime.of(intervals),
                        uncut),
                RequestSample.NONE,
                uncut ? segments(stored.path("segments"), intervals) : List.of());
    }

    /** An interval ended at each change of the load. */
    private static List<Segment> segments(JsonNode stored, List<Interval> intervals) {
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < stored.size(); i++) {
            JsonNode own = stored.get(i);
            double from = own.path("fromMs").asDouble();
            double to = i + 1 < stored.size() ? stored.get(i + 1).path("fromMs").asDouble() : Double.MAX_VALUE;
            Duration start =
                    intervals.isEmpty() ? Duration.ZERO : intervals.get(0).start();
            Tally sum = Tallies.sum(intervals.stream()
                    .filter(interval -> {
                        double middle = interval.start()
                                        .minus(start)
                                        .plus(interval.length().dividedBy(2))
                                        .toNanos()
                                / 1e6;
                        return from <= middle && middle < to;
                    })
                    .flatMap(interval -> interval.operations().stream())
                    .toList());
            sum.pack();
            segments.add(new Segment(
                    Duration.ofNanos(Math.round(from * 1e6)),
                    seconds(own.path("wallSeconds")),
                    own.path("load").asString(),
                    sum));
        }
        return segments;
    }

    /** How many users ran a phase; in merged runs, more than the plan says. */
    int threads(Phase phase) {
        return stored(phase).path("threads").asInt(plan.users(phase));
    }

    private JsonNode stored(Phase phase) {
        for (JsonNode stored : json.path("phases")) {
            if (stored.path("name").asString().equals(phase.name())) {
                return stored;
            }
        }
        return JsonNodeFactory.instance.objectNode();
    }

    private Instant startOf(JsonNode stored, List<Interval> intervals) {
        return stored.path("startedAt").isString()
                ? Instant.parse(stored.path("startedAt").asString())
                : startedAt.plus(intervals.get(0).start());
    }

    static Duration seconds(JsonNode number) {
        return Duration.ofNanos(Math.round(number.asDouble(0) * 1e9));
    }
}
