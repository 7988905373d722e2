package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountsTest {

    private TargetServer server;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder()
                .port(0)
                .maxThreads(20)
                .drainTimeout(Duration.ZERO)
                .build());
        client = new TestClient(server.url());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyRequestIsCountedOnce() throws Exception {
        int threads = 4;
        int rounds = 25;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> users = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                users.add(pool.submit(() -> {
                    for (int i = 0; i < rounds; i++) {
                        client.get("/");
                        client.send("POST", "/", "hello");
                        client.get("/nope");
                        client.send("DELETE", "/", "");
                        client.get("/status/503");
                        client.metrics();
                    }
                    return null;
                }));
            }
            for (Future<?> user : users) {
                user.get();
            }
        } finally {
            pool.shutdownNow();
        }
        int each = threads * rounds;
        assertThat(server.requestsServed()).isEqualTo(5 * each);
        // The last answer may be here before the server has noted that it is out.
        Map<String, String> metrics = client.awaitMetrics(m -> count(m, "inFlight") == 0);
        assertThat(count(metrics, "total")).isEqualTo(5 * each);
        assertThat(count(metrics, "aborted")).isZero();
        assertThat(count(metrics, "byMethod/GET")).isEqualTo(3 * each);
        assertThat(count(metrics, "byMethod/POST")).isEqualTo(each);
        assertThat(count(metrics, "byMethod/DELETE")).isEqualTo(each);
        assertThat(count(metrics, "byStatus/200")).isEqualTo(2 * each);
        assertThat(count(metrics, "byStatus/404")).isEqualTo(each);
        assertThat(count(metrics, "byStatus/405")).isEqualTo(each);
        assertThat(count(metrics, "byStatus/503")).isEqualTo(each);
        // A user may be at the next request while the server is finishing the one before.
        assertThat(count(metrics, "peakInFlight")).isBetween(1L, 2L * threads);
    }

    @Test
    void countsRequestsInFlight() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> delays = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            delays.add(client.getAsync("/delay?ms=60000"));
        }
        Map<String, String> metrics = client.awaitMetrics(m -> count(m, "inFlight") == 5);
        assertThat(count(metrics, "peakInFlight")).isEqualTo(5);
        assertThat(server.requestsServed()).isEqualTo(5);
        // The sixth is busy with this very answer.
        assertThat(Integer.parseInt(metrics.get("busyThreads"))).isBetween(6, 20);
        assertThat(metrics.get("maxThreads")).isEqualTo("20");
        assertThat(Integer.parseInt(metrics.get("openConnections"))).isGreaterThanOrEqualTo(6);
        server.close();
        CompletableFuture.allOf(delays.toArray(CompletableFuture[]::new))
                .handle((all, failure) -> null)
                .get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void thePeakIsKept() throws Exception {
        client.getAsync("/delay?ms=1000");
        client.getAsync("/delay?ms=1000");
        client.awaitMetrics(m -> count(m, "inFlight") == 2);
        Map<String, String> metrics = client.awaitMetrics(m -> count(m, "inFlight") == 0);
        assertThat(count(metrics, "peakInFlight")).isEqualTo(2);
    }

    @Test
    void aTruncatedRequestIsAborted() throws Exception {
        try (Socket socket = client.connect()) {
            String request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            client.awaitMetrics(m -> count(m, "inFlight") == 1);
        }
        Map<String, String> metrics = client.awaitMetrics(m -> count(m, "inFlight") == 0);
        assertThat(count(metrics, "aborted")).isEqualTo(1);
        assertThat(server.requestsServed()).isEqualTo(1);
    }

    @Test
    void invalidRequestsDoNotCount() throws Exception {
        client.raw("GARBAGE\r\n\r\n");
        client.get("/metrics.json");
        assertThat(server.requestsServed()).isZero();
    }

    @Test
    void measuresTheProcess() throws Exception {
        Map<String, String> metrics = client.metrics();
        assertThat(Long.parseLong(metrics.get("processCpuNs"))).isPositive();
        assertThat(Integer.parseInt(metrics.get("cores")))
                .isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(Long.parseLong(metrics.get("gcCount"))).isNotNegative();
        assertThat(Long.parseLong(metrics.get("gcMs"))).isNotNegative();
        assertThat(Long.parseLong(metrics.get("heapUsedBytes")))
                .isBetween(1L, Long.parseLong(metrics.get("heapMaxBytes")));
        assertThat(Long.parseLong(metrics.get("uptimeMs"))).isNotNegative();
        assertThat(metrics.get("virtualThreads")).isEqualTo("false");
    }

    private static long count(Map<String, String> metrics, String name) {
        return Long.parseLong(metrics.getOrDefault("requests/" + name, "0"));
    }
}
