package io.phaseload.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.Listeners;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One run, whose figures a receiver of OTLP and a reader of Prometheus's page compare with its result. */
class OutputsTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final List<String> OPERATIONS = List.of("GET /", "GET /broken");
    private static final Queue<ExportMetricsServiceRequest> RECEIVED = new ConcurrentLinkedQueue<>();
    private static final Queue<String> KEYS = new ConcurrentLinkedQueue<>();

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static HttpServer server;
    private static Result result;
    private static String page;
    private static OtlpOutput refused;

    @BeforeAll
    static void run() throws Exception {
        server = HttpServer.create(ANY, 0);
        server.setExecutor(THREADS);
        server.createContext("/", exchange -> answer(exchange, 200));
        server.createContext("/broken", exchange -> answer(exchange, 500));
        server.createContext("/otlp/v1/metrics", OutputsTest::receive);
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Plan plan = Plan.builder(url)
                .name("shop")
                .threads(4)
                .iterations(200)
                .operations(Operation.get("/"), Operation.get("/broken"))
                .label("build", "42")
                .build();
        try (OtlpOutput failing = new OtlpOutput(plan, url.resolve("/broken"), Map.of(), "1");
                OtlpOutput otlp =
                        new OtlpOutput(plan, url.resolve("/otlp/v1/metrics"), Map.of("api-key", "k"), "1.2.3");
                PrometheusOutput prometheus = new PrometheusOutput(plan, ANY, "1.2.3");
                ThreadsLoadClient client =
                        ThreadsLoadClient.of(plan, new Listeners(List.of(otlp, prometheus, failing)))) {
            refused = failing;
            result = client.run();
            page = read("http://127.0.0.1:" + prometheus.port() + "/metrics");
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private static void receive(HttpExchange exchange) throws IOException {
        RECEIVED.add(ExportMetricsServiceRequest.parseFrom(new GZIPInputStream(exchange.getRequestBody())));
        KEYS.add(exchange.getRequestHeaders().getFirst("api-key"));
        answer(exchange, 200);
    }

    private static String read(String address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        THREADS.shutdown();
    }

    @Test
    void theLastExportHasTheCountsOfTheResult() {
        for (PhaseResult phase : result.phases()) {
            for (int i = 0; i < OPERATIONS.size(); i++) {
                var expected = phase.operations().get(i).figures();
                Map<String, String> labels = Map.of("phase", phase.name(), "operation", OPERATIONS.get(i));
                assertThat(number("phaseload.requests", labels)).isEqualTo(expected.requests());
                assertThat(times("phaseload.response.duration", labels).getCount())
                        .isEqualTo(expected.requests());
                assertThat(times("phaseload.service.duration", labels).getCount())
                        .isEqualTo(expected.requests());
            }
            assertThat(number(
                            "phaseload.failures",
                            Map.of("phase", phase.name(), "operation", "GET /broken", "cause", "http 500")))
                    .isEqualTo(phase.figures().failed());
        }
        assertThat(number("phaseload.users", Map.of("phase", "cooldown"))).isZero();
    }

    /** Prometheus refuses all metrics for it. */
    @Test
    void noMetricIsWithoutPoints() {
        assertThat(last().getScopeMetrics(0).getMetricsList()).hasSize(6).allSatisfy(metric -> assertThat(
                        metric.getSum().getDataPointsCount()
                                + metric.getGauge().getDataPointsCount()
                                + metric.getExponentialHistogram().getDataPointsCount())
                .isPositive());
    }

    /** To the bucket's width and HdrHistogram's own error. */
    @Test
    void thePercentilesAreThoseOfTheResult() {
        PhaseResult peak = result.phases().get(2);
        Map<String, String> labels = Map.of("phase", peak.name(), "operation", "GET /");
        Duration p99 =
                peak.operations().get(0).figures().response().p99().value().orElseThrow();
        double expected = p99.toNanos() / 1e9;

        assertThat(percentile(times("phaseload.response.duration", labels), 0.99))
                .isCloseTo(expected, within(0.025 * expected));
    }

    @Test
    void theResourceHasThePlansNameAndLabels() {
        assertThat(labels(last().getResource().getAttributesList()))
                .containsEntry("service.name", "phaseload")
                .containsEntry("service.version", "1.2.3")
                .containsEntry("phaseload.plan", "shop")
                .containsEntry("build", "42");
        assertThat(KEYS).containsOnly("k");
    }

    @Test
    void aReceiverThatFailsIsReported() {
        assertThat(refused.failure()).hasValueSatisfying(text -> assertThat(text)
                .startsWith("1 of 1 exports failed, the last one, too: HTTP status 500"));
    }

    @Test
    void thePageHasTheCountsOfTheResult() {
        for (PhaseResult phase : result.phases()) {
            String labels = "operation=\"GET /broken\",phase=\"" + phase.name() + "\"";
            long requests = phase.operations().get(1).figures().requests();
            assertThat(page.lines())
                    .contains(
                            "phaseload_requests_total{%s} %s".formatted(labels, (double) requests),
                            "phaseload_failures_total{cause=\"http 500\",%s} %s".formatted(labels, (double) requests),
                            "phaseload_response_duration_seconds_bucket{%s,le=\"+Inf\"} %d".formatted(labels, requests),
                            "phaseload_response_duration_seconds_count{%s} %d".formatted(labels, requests));
        }
        assertThat(page.lines()).contains("phaseload_info{build=\"42\",plan=\"shop\",version=\"1.2.3\"} 1");
    }

    @Test
    void aTimeOfAnyLengthIsInABucket() {
        Distribution times = new Distribution();
        Histogram nanos = new Histogram(Duration.ofHours(1).toNanos(), 3);
        long[] all = {0, 1_000, 900_000, 990_000_000, Duration.ofHours(1).toNanos()};
        for (long each : all) {
            nanos.recordValue(each);
        }

        times.add(nanos);

        assertThat(times.count()).isEqualTo(5);
        assertThat(times.zeros()).isEqualTo(1);
        // 2^(-638/32) s is 1 µs, to a bucket's width.
        assertThat(times.buckets()).hasSize(4).containsKeys(-638, -324, -1, 378);
        assertThat(times.fixed()).containsExactly(2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1);
    }

    private static ResourceMetrics last() {
        return RECEIVED.stream().reduce((a, b) -> b).orElseThrow().getResourceMetrics(0);
    }

    private static Metric metric(String name) {
        return last().getScopeMetrics(0).getMetricsList().stream()
                .filter(of -> of.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    private static double number(String name, Map<String, String> labels) {
        Metric metric = metric(name);
        List<NumberDataPoint> points = metric.hasSum()
                ? metric.getSum().getDataPointsList()
                : metric.getGauge().getDataPointsList();
        NumberDataPoint point = points.stream()
                .filter(of -> labels(of.getAttributesList()).equals(labels))
                .findAny()
                .orElseThrow();
        return metric.hasSum() ? point.getAsInt() : point.getAsDouble();
    }

    private static ExponentialHistogramDataPoint times(String name, Map<String, String> labels) {
        return metric(name).getExponentialHistogram().getDataPointsList().stream()
                .filter(of -> labels(of.getAttributesList()).equals(labels))
                .findAny()
                .orElseThrow();
    }

    private static double percentile(ExponentialHistogramDataPoint times, double part) {
        long below = 0;
        int index = times.getPositive().getOffset();
        for (long count : times.getPositive().getBucketCountsList()) {
            below += count;
            index++;
            if (below >= Math.ceil(part * times.getCount())) {
                return Math.pow(2, index / Math.scalb(1.0, times.getScale()));
            }
        }
        throw new AssertionError("more times than in its buckets: " + times);
    }

    private static Map<String, String> labels(List<KeyValue> attributes) {
        Map<String, String> labels = new HashMap<>();
        attributes.forEach(each -> labels.put(each.getKey(), each.getValue().getStringValue()));
        return labels;
    }
}
