package io.phaseload.live;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A second of a run as JSON, with the names that {@code result.json} has. */
final class SecondJson {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<String> operations;
    private final List<String> journeys;

    SecondJson(Plan plan) {
        operations = Operation.namesInResult(plan.scenario().operations());
        journeys = plan.scenario().timed();
    }

    /** The beginning of a run. */
    static ObjectNode run(Plan plan, Instant at) {
        ObjectNode json = object().put("type", "run").put("name", plan.name()).put("startedAt", at.toString());
        plan.phases().forEach(phase -> json.withArray("phases").add(phase.name()));
        return json;
    }

    /**
     * One interval.
     *
     * @param users of its phase
     * @param times of all its requests
     */
    ObjectNode of(Interval interval, int users, Histogram times) {
        ObjectNode json = object().put("type", "second")
                .put("phase", interval.phase())
                .put("startMs", interval.start().toNanos() / NANOS_PER_MILLI)
                .put("lengthMs", interval.length().toNanos() / NANOS_PER_MILLI)
                .put("users", users);
        figures(json, interval.operations(), times, interval.length());
        host(json, "client", interval.client());
        interval.server().ifPresent(server -> host(json, "server", server));
        return json;
    }

    /** The same with its operations and journeys. */
    ObjectNode inParts(Interval interval, int users) {
        ObjectNode json = of(interval, users, times(interval));
        each(json, "operations", operations, interval.operations(), interval.length());
        each(json, "journeys", journeys, interval.journeys(), interval.length());
        return json;
    }

    /** The response times of all requests of an interval. */
    static Histogram times(Interval interval) {
        return Tallies.sum(interval.operations(), Timing.RESPONSE);
    }

    private static void each(ObjectNode json, String key, List<String> names, List<Tally> tallies, Duration length) {
        if (!tallies.isEmpty()) {
            ArrayNode all = json.putArray(key);
            for (int i = 0; i < tallies.size(); i++) {
                Tally tally = tallies.get(i);
                figures(
                        all.addObject().put("name", names.get(i)),
                        List.of(tally),
                        tally.histogram(Timing.RESPONSE),
                        length);
            }
        }
    }

    private static void figures(ObjectNode json, List<Tally> tallies, Histogram times, Duration length) {
        long requests = times.getTotalCount();
        long failed = tallies.stream().mapToLong(Tally::failed).sum();
        json.put("requests", requests)
                .put("succeeded", requests - failed)
                .put("failed", failed)
                .put("requestsPerSecond", length.isZero() ? 0 : requests * NANOS_PER_SECOND / length.toNanos());
        times(json.putObject("response"), times);
        Map<String, Long> causes = new TreeMap<>();
        tallies.forEach(tally -> tally.causes().forEach((cause, of) -> causes.merge(cause, of.count(), Long::sum)));
        causes.forEach(json.putObject("failures")::put);
    }

    static void times(ObjectNode json, Histogram nanos) {
        long count = nanos.getTotalCount();
        json.put("meanMs", count == 0 ? null : nanos.getMean() / NANOS_PER_MILLI);
        json.put("p50Ms", percentile(nanos, 50));
        json.put("p90Ms", percentile(nanos, 90));
        json.put("p95Ms", percentile(nanos, 95));
        json.put("p99Ms", percentile(nanos, 99));
        json.put("p999Ms", percentile(nanos, 99.9));
        json.put("maxMs", count == 0 ? null : nanos.getMaxValue() / NANOS_PER_MILLI);
    }

    /** In milliseconds; null with too few samples, by the rule of reports. */
    static @Nullable Double percentile(Histogram nanos, double percent) {
        return QuantileRanks.of(percent / 100, nanos.getTotalCount()).isPresent()
                ? nanos.getValueAtPercentile(percent) / NANOS_PER_MILLI
                : null;
    }

    private static void host(ObjectNode json, String key, HostFigures figures) {
        if (!figures.isGap()) {
            ObjectNode values = json.putObject(key);
            new TreeMap<>(figures.values()).forEach(values::put);
        }
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
