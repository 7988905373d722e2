package io.phaseload.scrape;

import io.phaseload.host.HostFigure;
import io.phaseload.plan.metrics.Series;
import io.phaseload.scrape.PrometheusText.MetricSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /metrics.json} of Phaseload's own target. */
final class TargetPage {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TargetPage() {}

    /**
     * The page's numbers, named as Prometheus's metrics: {@code requests.inFlight} is
     * {@code phaseload_requests_in_flight}. Their time is the server's own clock's: the way to it and back is not in
     * it.
     */
    static Metrics metrics(MetricsPage page) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(page.text());
        } catch (JacksonException e) {
            throw new IOException("it isn't JSON", e);
        }
        JsonNode uptime = json.path("uptimeMs");
        if (!json.path("requests").path("inFlight").isNumber() || !uptime.isNumber()) {
            throw new IOException("it has neither requests.inFlight nor uptimeMs");
        }
        List<MetricSample> samples = new ArrayList<>();
        add(samples, "phaseload", json);
        // That of processCpuNs covers exactly the time between two readings.
        samples.removeIf(sample -> sample.series().name().equals("phaseload_host_cpu_percent"));
        return Metrics.of(samples, uptime.asDouble() / 1_000);
    }

    private static void add(List<MetricSample> samples, String name, JsonNode node) {
        if (node.isNumber()) {
            samples.add(new MetricSample(new Series(name, Map.of()), node.asDouble()));
        }
        node.properties()
                .forEach(own -> add(samples, name + "_" + HostFigure.lowerCase(own.getKey(), "_"), own.getValue()));
    }
}
