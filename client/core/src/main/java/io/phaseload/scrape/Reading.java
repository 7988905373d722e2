package io.phaseload.scrape;

import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.ServerMetrics.Choice;
import io.phaseload.scrape.PrometheusText.Sample;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The numbers of one page.
 *
 * @param values by name; of a rate, the counter that it is made of
 * @param seconds when they were read, on the clock that rates are to be made with
 */
record Reading(Map<String, Double> values, double seconds) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MIB = 1 << 20;

    /** Those names of the metrics whose values are counters. */
    static Set<String> rates(ServerMetrics metrics) {
        if (metrics.choices().isEmpty()) {
            return Set.of("cpuPercent");
        }
        Map<String, Choice> choices = new HashMap<>(metrics.choices());
        choices.values().removeIf(choice -> !choice.rate());
        return Set.copyOf(choices.keySet());
    }

    /**
     * Reads a page as the metrics want it.
     *
     * @throws IOException if it isn't a page of that kind
     */
    static Reading of(ServerMetrics metrics, Page page) throws IOException {
        return metrics.choices().isEmpty() ? ofTarget(page) : ofPrometheus(metrics.choices(), page);
    }

    private static Reading ofTarget(Page page) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(page.text());
        } catch (JacksonException e) {
            throw new IOException("it isn't JSON", e);
        }
        Map<String, Double> values = new HashMap<>();
        // CPU time in percents of what all cores can do in a second: its rate is the percentage.
        double cpuPerPercent = NANOS_PER_SECOND * json.path("cores").asDouble(1) / 100;
        put(values, "cpuPercent", json.path("processCpuNs"), cpuPerPercent);
        put(values, "inFlight", json.path("requests").path("inFlight"), 1);
        put(values, "busyThreads", json.path("busyThreads"), 1);
        put(values, "heapMiB", json.path("heapUsedBytes"), MIB);
        JsonNode uptime = json.path("uptimeMs");
        if (!values.containsKey("inFlight") || !uptime.isNumber()) {
            throw new IOException("it has neither requests.inFlight nor uptimeMs");
        }
        // The server's own clock: the way to it and back is not in it.
        return new Reading(values, uptime.asDouble() / 1000);
    }

    private static void put(
            Map<String, Double> values, String name, JsonNode number, double divisor) {
        if (number.isNumber()) {
            values.put(name, number.asDouble() / divisor);
        }
    }

    private static Reading ofPrometheus(Map<String, Choice> choices, Page page) throws IOException {
        List<Sample> samples = PrometheusText.parse(page.contentType(), page.text());
        Map<String, Double> values = new HashMap<>();
        for (Map.Entry<String, Choice> choice : choices.entrySet()) {
            for (Sample sample : samples) {
                if (choice.getValue().series().covers(sample.series())) {
                    values.merge(choice.getKey(), sample.value(), Double::sum);
                }
            }
        }
        return new Reading(values, page.nanos() / NANOS_PER_SECOND);
    }
}
