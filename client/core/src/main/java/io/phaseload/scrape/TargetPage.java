package io.phaseload.scrape;

import io.phaseload.plan.metrics.ServerMetrics;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code /metrics.json} of Phaseload's own target.
 *
 * @param cpu time, in percents of what all cores can do in a second; NaN if the JVM doesn't report it
 * @param requests that it has received
 * @param seconds the time when that was, on the server's own clock: the way to it and back is not in it
 */
record TargetPage(Map<String, Double> values, double cpu, double requests, double seconds) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MIB = 1 << 20;

    static TargetPage of(MetricsPage page) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(page.text());
        } catch (JacksonException e) {
            throw new IOException("it isn't JSON", e);
        }
        Map<String, Double> values = new HashMap<>();
        // Those of its machine since about a second ago; targets of earlier versions have none.
        for (String name : ServerMetrics.KNOWN_FIGURES) {
            put(values, name, json.path("host").path(name), 1);
        }
        put(values, "inFlight", json.path("requests").path("inFlight"), 1);
        put(values, "heapMiB", json.path("heapUsedBytes"), MIB);
        for (String name : new String[] {
            "busyThreads", "maxThreads", "queuedRequests", "acceptQueue", "acceptQueueLimit", "openConnections"
        }) {
            put(values, name, json.path(name), 1);
        }
        JsonNode uptime = json.path("uptimeMs");
        if (!values.containsKey("inFlight") || !uptime.isNumber()) {
            throw new IOException("it has neither requests.inFlight nor uptimeMs");
        }
        return new TargetPage(
                values,
                number(json.path("processCpuNs"))
                        / (NANOS_PER_SECOND * json.path("cores").asDouble(1) / 100),
                number(json.path("requests").path("total")),
                uptime.asDouble() / 1000);
    }

    private static void put(Map<String, Double> values, String name, JsonNode number, double divisor) {
        if (number.isNumber()) {
            values.put(name, number.asDouble() / divisor);
        }
    }

    private static double number(JsonNode number) {
        return number.isNumber() ? number.asDouble() : Double.NaN;
    }

    Map<String, Double> since(TargetPage before) {
        Map<String, Double> figures = new HashMap<>(values);
        double passed = seconds - before.seconds;
        figures.put("cpuPercent", rate(cpu - before.cpu, passed));
        figures.put("requestsPerSecond", rate(requests - before.requests, passed));
        return KnownMetrics.withShare(figures);
    }

    /** Either goes backwards when the server has been restarted. */
    private static double rate(double increase, double passed) {
        return increase < 0 || passed <= 0 ? Double.NaN : increase / passed;
    }
}
