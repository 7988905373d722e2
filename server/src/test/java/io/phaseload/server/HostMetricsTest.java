package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the target tells of its process and its machine. */
class HostMetricsTest {

    private TargetServer server;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder()
                .port(0)
                .maxConnections(1)
                .acceptCount(77)
                .build());
        client = new TestClient(server.url());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void itsJvmIsTold() throws Exception {
        client.awaitMetrics(metrics -> metrics.containsKey("host/heapMiB"));

        Map<String, String> metrics = client.metrics();
        assertThat(metrics)
                .containsEntry("queuedRequests", "0")
                .containsEntry("acceptQueueLimit", "77")
                .containsKeys("acceptQueue", "host/cpuPercent", "host/gcMsPerSecond")
                // Nobody measures that here.
                .doesNotContainKey("host/longestHiccupMs");
        assertThat(Double.parseDouble(metrics.get("host/heapMiB"))).isPositive();
        assertThat(client.get("/metrics").body())
                .contains("\nphaseload_requests_queued 0.0\n")
                .containsPattern("\nphaseload_host_heap_mib \\d")
                .containsPattern("\nphaseload_host_gc_ms_per_second \\d");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "it has no /proc")
    void soAreItsMachineAndItsNetwork() throws Exception {
        client.awaitMetrics(metrics -> metrics.keySet()
                .containsAll(List.of(
                        "host/machineCpuPercent",
                        "host/memoryUsedPercent",
                        "host/tcpRetransmitsPerSecond",
                        "host/tcpListenOverflowsPerSecond")));
        assertThat(client.get("/metrics").body())
                .containsPattern("\nphaseload_host_tcp_listen_overflows_per_second \\d");
    }

    /** The only connection that is accepted is the one that asks. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "it has no /proc")
    void connectionsThatAreNotAcceptedAreCounted() throws Exception {
        client.metrics();
        List<Socket> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                waiting.add(new Socket(server.url().getHost(), server.url().getPort()));
            }

            client.awaitMetrics(metrics -> "3".equals(metrics.get("acceptQueue")));
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }
}
