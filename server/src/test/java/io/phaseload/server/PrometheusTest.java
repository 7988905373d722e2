package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrometheusTest {

    // https://prometheus.io/docs/instrumenting/exposition_formats/
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_]\\w*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern SAMPLE = Pattern.compile(
            "(%s(?:\\{%s(?:,%s)*\\})?) (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:E-?\\d+)?)".formatted(NAME, LABEL, LABEL));
    private static final Pattern COMMENT = Pattern.compile(
            "# (?:HELP %s .*|TYPE %s (?:counter|gauge|summary|histogram|untyped))".formatted(NAME, NAME));

    private TargetServer server;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        server = TargetServer.start(
                ServerSettings.builder().port(0).maxThreads(20).build());
        client = new TestClient(server.url());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyLineFollowsTheTextFormat() throws Exception {
        client.get("/");
        HttpResponse<String> response = client.get("/metrics");
        assertThat(response.headers().firstValue("Content-Type").orElseThrow().replace(" ", ""))
                .isEqualTo("text/plain;version=0.0.4;charset=utf-8");
        assertThat(response.body()).endsWith("\n");
        assertThat(response.body().split("\n"))
                .allMatch(line ->
                        COMMENT.matcher(line).matches() || SAMPLE.matcher(line).matches());
    }

    @Test
    void openMetricsAreSentOnRequest() throws Exception {
        HttpResponse<String> response = client.send(
                "GET",
                "/metrics",
                BodyPublishers.noBody(),
                "Accept",
                "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertThat(response.headers().firstValue("Content-Type").orElseThrow().replace(" ", ""))
                .isEqualTo("application/openmetrics-text;version=1.0.0;charset=utf-8");
        assertThat(response.body()).endsWith("\n# EOF\n");
    }

    @Test
    void theTargetsOwnCountsAreIncluded() throws Exception {
        client.get("/");
        client.send("POST", "/", "hello");
        client.get("/nope");
        client.get("/metrics.json");
        client.get("/metrics");
        // The last answer may be here before the server has noted that it is out.
        client.awaitMetrics(m -> m.get("requests/inFlight").equals("0"));
        assertThat(samples())
                .containsEntry("phaseload_requests_total{method=\"GET\"}", 2.0)
                .containsEntry("phaseload_requests_total{method=\"POST\"}", 1.0)
                .containsEntry("phaseload_responses_total{status=\"200\"}", 2.0)
                .containsEntry("phaseload_responses_total{status=\"404\"}", 1.0)
                .containsEntry("phaseload_requests_aborted_total", 0.0)
                .containsEntry("phaseload_requests_in_flight", 0.0)
                .containsEntry("phaseload_requests_in_flight_peak", 1.0);
        client.get("/status/503");
        client.awaitMetrics(m -> m.get("requests/inFlight").equals("0"));
        assertThat(samples())
                .containsEntry("phaseload_requests_total{method=\"GET\"}", 3.0)
                .containsEntry("phaseload_responses_total{status=\"503\"}", 1.0);
        assertThat(server.requestsServed()).isEqualTo(4);
    }

    @Test
    void requestsInFlightKeepThreadsBusy() throws Exception {
        for (int i = 0; i < 3; i++) {
            client.getAsync("/delay?ms=2000");
        }
        client.awaitMetrics(m -> m.get("requests/inFlight").equals("3"));
        Map<String, Double> samples = samples();
        assertThat(samples.get("phaseload_requests_in_flight")).isEqualTo(3);
        // The fourth is busy with this very answer.
        assertThat(samples.get("phaseload_threads_busy")).isBetween(4.0, 20.0);
    }

    @Test
    void onlyTheJvmAndThisTomcatAreIncluded() throws Exception {
        try (TargetServer other = TargetServer.start(
                ServerSettings.builder().port(0).maxThreads(7).build())) {
            assertThat(new TestClient(other.url()).get("/metrics").body())
                    .containsOnlyOnce("\ntomcat_threads_config_max_threads{");
            Map<String, Double> samples = samples();
            assertThat(samples)
                    .hasEntrySatisfying("process_cpu_usage", v -> assertThat(v).isBetween(0.0, 1.0))
                    .hasEntrySatisfying("system_cpu_count", v -> assertThat(v).isPositive())
                    .containsKey("jvm_gc_memory_allocated_bytes_total");
            assertThat(samples.keySet())
                    .anyMatch(name -> name.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                    .noneMatch(name -> name.startsWith("tomcat_servlet_"))
                    .filteredOn(name -> name.startsWith("tomcat_threads_config_max_threads"))
                    .singleElement()
                    .satisfies(name -> assertThat(samples.get(name)).isEqualTo(20));
        }
    }

    private Map<String, Double> samples() throws Exception {
        Map<String, Double> samples = new HashMap<>();
        for (String line : client.get("/metrics").body().split("\n")) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                samples.put(sample.group(1), Double.valueOf(sample.group(2)));
            }
        }
        return samples;
    }
}
