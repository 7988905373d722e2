package io.phaseload.live;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
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

    /**
     * One interval.
     *
     * @param users of its phase
     */
    ObjectNode of(Interval interval, int users) {
        Tally all = new Tally();
        interval.operations().forEach(all::add);
        double seconds = interval.length().toNanos() / NANOS_PER_SECOND;
        ObjectNode json = object().put("type", "second")
                .put("phase", interval.phase())
                .put("startMs", interval.start().toNanos() / NANOS_PER_MILLI)
                .put("lengthMs", interval.length().toNanos() / NANOS_PER_MILLI)
                .put("users", users);
        figures(json, all, seconds);
        each(json, "operations", operations, interval.operations(), seconds);
        each(json, "journeys", journeys, interval.journeys(), seconds);
        host(json, "client", interval.client());
        interval.server().ifPresent(server -> host(json, "server", server));
        return json;
    }

    private static void each(ObjectNode json, String key, List<String> names, List<Tally> tallies, double seconds) {
        if (!tallies.isEmpty()) {
            var all = json.putArray(key);
            for (int i = 0; i < tallies.size(); i++) {
                figures(all.addObject().put("name", names.get(i)), tallies.get(i), seconds);
            }
        }
    }

    private static void figures(ObjectNode json, Tally tally, double seconds) {
        json.put("requests", tally.requests())
                .put("succeeded", tally.succeeded())
                .put("failed", tally.failed())
                .put("requestsPerSecond", seconds == 0 ? 0 : tally.requests() / seconds);
        times(json.putObject("response"), tally.histogram(Timing.RESPONSE));
        ObjectNode causes = json.putObject("failures");
        tally.causes().forEach((cause, of) -> causes.put(cause, of.count()));
    }

    /** A percentile is null if fewer requests than one are above it. */
    private static void times(ObjectNode json, Histogram nanos) {
        long count = nanos.getTotalCount();
        json.put("meanMs", count == 0 ? null : nanos.getMean() / NANOS_PER_MILLI);
        percentile(json, "p50Ms", nanos, 50);
        percentile(json, "p90Ms", nanos, 90);
        percentile(json, "p95Ms", nanos, 95);
        percentile(json, "p99Ms", nanos, 99);
        percentile(json, "p999Ms", nanos, 99.9);
        json.put("maxMs", count == 0 ? null : nanos.getMaxValue() / NANOS_PER_MILLI);
    }

    private static void percentile(ObjectNode json, String key, Histogram nanos, double percent) {
        boolean enough = nanos.getTotalCount() * (100 - percent) >= 100;
        json.put(key, enough ? nanos.getValueAtPercentile(percent) / NANOS_PER_MILLI : null);
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
