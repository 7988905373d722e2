package io.phaseload.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.metrics.ServerMetrics;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Pages as these exporters write them, two seconds apart. */
class KnownMetricsTest {

    private static Map<String, Double> figures(String before, String now) throws IOException {
        Map<String, Double> figures = KnownMetrics.figures(metrics(before, 10), metrics(now, 12));
        assertThat(ServerMetrics.KNOWN_FIGURES).containsAll(figures.keySet());
        // Thousandths say nothing here.
        return figures.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, figure -> Math.round(1e3 * figure.getValue()) / 1e3));
    }

    private static Metrics metrics(String page, double seconds) throws IOException {
        return Metrics.of(PrometheusText.parse("text/plain", page), seconds);
    }

    @Test
    void nodeExporterTellsOfTheMachine() throws IOException {
        String before =
                """
                node_cpu_seconds_total{cpu="0",mode="idle"} 100
                node_cpu_seconds_total{cpu="0",mode="user"} 50
                node_cpu_seconds_total{cpu="1",mode="idle"} 100
                node_cpu_seconds_total{cpu="1",mode="steal"} 7
                node_cpu_seconds_total{cpu="1",mode="softirq"} 3
                node_memory_MemTotal_bytes 8e+09
                node_memory_MemAvailable_bytes 2e+09
                node_netstat_Tcp_RetransSegs 10
                node_netstat_TcpExt_ListenOverflows 2310
                node_network_receive_bytes_total{device="eth0"} 1e+06
                node_network_receive_bytes_total{device="lo"} 0
                node_sockstat_TCP_tw 12
                node_pressure_cpu_waiting_seconds_total 5
                """;
        String now =
                """
                node_cpu_seconds_total{cpu="0",mode="idle"} 100.2
                node_cpu_seconds_total{cpu="0",mode="user"} 51.8
                node_cpu_seconds_total{cpu="1",mode="idle"} 101.8
                node_cpu_seconds_total{cpu="1",mode="steal"} 7.1
                node_cpu_seconds_total{cpu="1",mode="softirq"} 3.1
                node_memory_MemTotal_bytes 8e+09
                node_memory_MemAvailable_bytes 2e+09
                node_netstat_Tcp_RetransSegs 30
                node_netstat_TcpExt_ListenOverflows 2312
                node_network_receive_bytes_total{device="eth0"} 3e+06
                node_network_receive_bytes_total{device="lo"} 9e+09
                node_sockstat_TCP_tw 14
                node_pressure_cpu_waiting_seconds_total 5.5
                """;

        assertThat(figures(before, now))
                .containsOnly(
                        Map.entry("machineCpuPercent", 47.5),
                        Map.entry("busiestCpuPercent", 90.0),
                        Map.entry("stolenPercent", 2.5),
                        Map.entry("memoryUsedPercent", 75.0),
                        Map.entry("tcpRetransmitsPerSecond", 10.0),
                        Map.entry("tcpListenOverflowsPerSecond", 1.0),
                        Map.entry("receivedMbitPerSecond", 8.0),
                        Map.entry("socketsTimeWait", 14.0),
                        Map.entry("cpuPressurePercent", 25.0));
    }

    @Test
    void springActuatorTellsOfTheProcess() throws IOException {
        String page =
                """
                process_cpu_usage 0.25
                system_cpu_usage 0.5
                jvm_memory_used_bytes{area="heap",id="Eden"} 1.048576E6
                jvm_memory_used_bytes{area="heap",id="Old"} 2.097152E6
                jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 9E6
                jvm_gc_pause_seconds_sum{action="end of minor GC"} %s
                http_server_requests_seconds_count{uri="/a"} %s
                http_server_requests_seconds_sum{uri="/a"} %s
                tomcat_threads_busy_threads{name="http-nio-8080"} 50.0
                tomcat_threads_config_max_threads{name="http-nio-8080"} 200.0
                hikaricp_connections_pending{pool="p"} 3.0
                """;

        assertThat(figures(page.formatted(1, 100, 1), page.formatted(1.5, 140, 5)))
                .containsOnly(
                        Map.entry("cpuPercent", 25.0),
                        Map.entry("machineCpuPercent", 50.0),
                        Map.entry("heapMiB", 3.0),
                        Map.entry("gcMsPerSecond", 250.0),
                        Map.entry("requestsPerSecond", 20.0),
                        Map.entry("serviceMs", 100.0),
                        Map.entry("busyThreads", 50.0),
                        Map.entry("maxThreads", 200.0),
                        Map.entry("busyThreadsPercent", 25.0),
                        Map.entry("poolWaiting", 3.0));
    }

    @Test
    void theJvmClientAndTheJmxExporterTellOfTomcat() throws IOException {
        String page =
                """
                process_cpu_seconds_total %s
                process_resident_memory_bytes 1.048576E6
                process_open_fds 10.0
                process_max_fds 40.0
                jvm_memory_bytes_used{area="heap",} 2.097152E6
                jvm_gc_collection_seconds_sum{gc="G1 Young Generation",} 3
                tomcat_threadpool_currentthreadsbusy{name="http-nio",port="8080",} 4.0
                tomcat_requestcount_total{port="8080",} %s
                """;

        assertThat(figures(page.formatted(1, 100), page.formatted(4, 110)))
                .containsOnly(
                        Map.entry("cpuCores", 1.5),
                        Map.entry("residentMiB", 1.0),
                        Map.entry("openFiles", 10.0),
                        Map.entry("openFilesPercent", 25.0),
                        Map.entry("heapMiB", 2.0),
                        Map.entry("gcMsPerSecond", 0.0),
                        Map.entry("busyThreads", 4.0),
                        Map.entry("requestsPerSecond", 5.0));
    }

    @Test
    void proxiesTellOfRequestsAndQueues() throws IOException {
        String nginx =
                """
                nginx_connections_active 7
                nginx_connections_reading 1
                nginx_connections_writing 2
                nginx_connections_accepted %s
                nginx_connections_handled 100
                nginx_http_requests_total %s
                """;
        assertThat(figures(nginx.formatted(100, 10), nginx.formatted(104, 20)))
                .containsOnly(
                        Map.entry("openConnections", 7.0),
                        Map.entry("inFlight", 3.0),
                        Map.entry("rejectedPerSecond", 2.0),
                        Map.entry("requestsPerSecond", 5.0));

        String haproxy =
                """
                haproxy_process_current_connections 5
                haproxy_backend_current_queue{proxy="a"} 2
                haproxy_backend_current_queue{proxy="b"} 3
                """;
        assertThat(figures(haproxy, haproxy))
                .containsOnly(Map.entry("openConnections", 5.0), Map.entry("queuedRequests", 5.0));

        String envoy =
                """
                envoy_http_downstream_rq_active{envoy_http_conn_manager_prefix="admin"} 1
                envoy_http_downstream_rq_active{envoy_http_conn_manager_prefix="in"} 8
                envoy_cluster_upstream_rq_pending_overflow{envoy_cluster_name="a"} %s
                """;
        assertThat(figures(envoy.formatted(1), envoy.formatted(5)))
                .containsOnly(Map.entry("inFlight", 8.0), Map.entry("rejectedPerSecond", 2.0));
    }

    @Test
    void aCounterThatWasNotThereBeganWithNothing() throws IOException {
        assertThat(figures("up 1\n", "nginx_http_requests_total 10\n"))
                .containsOnly(Map.entry("requestsPerSecond", 5.0));
    }

    /** A server that was restarted, and a page that has nothing of all this. */
    @Test
    void whatIsNotKnownIsMissing() throws IOException {
        assertThat(figures("process_cpu_seconds_total 5\n", "process_cpu_seconds_total 1\n"))
                .isEmpty();
        assertThat(figures("up 1\n", "up 1\n")).isEmpty();
        assertThat(KnownMetrics.figures(metrics("", 1), metrics("process_open_fds 3\n", 1)))
                .containsOnly(Map.entry("openFiles", 3.0));
    }
}
