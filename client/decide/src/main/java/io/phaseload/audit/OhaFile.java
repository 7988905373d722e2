package io.phaseload.audit;

import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A result of oha as JSON, whose times are seconds. */
final class OhaFile {

    /** A request that the end of the run cut off is in the errors, and neither succeeded nor failed. */
    private static final String CUT_OFF = "aborted due to deadline";

    private OhaFile() {}

    static ForeignRun read(JsonNode json) {
        JsonNode summary = json.path("summary");
        double responses = sum(json.path("statusCodeDistribution"));
        double errors = sum(json.path("errorDistribution"))
                - json.path("errorDistribution").path(CUT_OFF).asDouble(0);
        NavigableMap<Double, Double> percentiles = new TreeMap<>();
        json.path("latencyPercentiles").properties().forEach(of -> {
            if (of.getValue().isNumber()) {
                percentiles.put(
                        Double.valueOf(of.getKey().substring(1)),
                        1e3 * of.getValue().asDouble());
            }
        });
        double bad = json.path("statusCodeDistribution").properties().stream()
                .filter(of -> of.getKey().charAt(0) >= '4')
                .mapToDouble(of -> of.getValue().asDouble())
                .sum();
        return ForeignRun.totals(
                ForeignFormat.OHA,
                responses + errors,
                errors + bad,
                summary.path("total").asDouble(Double.NaN),
                new ForeignTimes(
                        1e3 * summary.path("average").asDouble(Double.NaN),
                        1e3 * summary.path("fastest").asDouble(Double.NaN),
                        1e3 * summary.path("slowest").asDouble(Double.NaN),
                        percentiles));
    }

    private static double sum(JsonNode counts) {
        return counts.valueStream().mapToDouble(JsonNode::asDouble).sum();
    }
}
