package io.phaseload.scrape;

import static io.phaseload.scrape.Term.most;
import static io.phaseload.scrape.Term.now;
import static io.phaseload.scrape.Term.rate;
import static io.phaseload.scrape.Term.with;

import io.phaseload.host.HostFigure;
import io.phaseload.plan.check.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What figures common exporters have, recognised by the names of their metrics: node_exporter, Micrometer (Spring
 * Actuator), Prometheus's own JVM client, the JMX exporter on Tomcat, and those of nginx, HAProxy and Envoy.
 * {@code docs/results.md} has the same list.
 */
final class KnownMetrics {

    private static final double MIB = 1 << 20;

    private record Rule(String figure, Term term) {}

    /** In order: where several know a figure, the first counts. */
    private static final List<Rule> RULES = new ArrayList<>();

    private static void rule(String figure, Term term) {
        RULES.add(new Rule(figure, term));
    }

    static {
        phaseload();
        micrometer();
        jvm();
        tomcat();
        node();
        proxies();
    }

    private KnownMetrics() {}

    /** Our own target's, which are called as the figures are. */
    private static void phaseload() {
        HostFigure.namesOfSystem()
                .forEach(name -> rule(name, now("phaseload_host_" + HostFigure.lowerCase(name, "_"))));
        rule("inFlight", now("phaseload_requests_in_flight"));
        rule("busyThreads", now("phaseload_threads_busy"));
        rule("queuedRequests", now("phaseload_requests_queued"));
        rule("acceptQueue", now("phaseload_accept_queue"));
        rule("requestsPerSecond", rate("phaseload_requests_total"));
    }

    private static void micrometer() {
        rule("cpuPercent", now("process_cpu_usage").times(100));
        rule("machineCpuPercent", now("system_cpu_usage").times(100));
        rule("heapMiB", now("jvm_memory_used_bytes", with("area", "heap")).times(1 / MIB));
        rule("gcMsPerSecond", rate("jvm_gc_pause_seconds_sum").times(1e3));
        rule("openFiles", now("process_files_open_files"));
        rule(
                "openFilesPercent",
                now("process_files_open_files")
                        .per(now("process_files_max_files"))
                        .times(100));
        rule("requestsPerSecond", rate("http_server_requests_seconds_count"));
        rule(
                "serviceMs",
                rate("http_server_requests_seconds_sum")
                        .per(rate("http_server_requests_seconds_count"))
                        .times(1e3));
        for (String count : List.of("gcount", "count", "active_count")) {
            rule("inFlight", now("http_server_requests_active_seconds_" + count));
        }
        rule("busyThreads", now("tomcat_threads_busy_threads"));
        rule("maxThreads", now("tomcat_threads_config_max_threads"));
        rule("openConnections", now("tomcat_connections_current_connections"));
        rule("busyThreads", now("jetty_threads_busy"));
        rule("maxThreads", now("jetty_threads_config_max"));
        rule("queuedRequests", now("jetty_threads_jobs"));
        rule("poolBusy", now("hikaricp_connections_active"));
        rule("poolMax", now("hikaricp_connections_max"));
        rule("poolWaiting", now("hikaricp_connections_pending"));
    }

    /** Prometheus's client for Java, before and since version 1; other languages' have some, too. */
    private static void jvm() {
        rule("cpuCores", rate("process_cpu_seconds_total"));
        rule("heapMiB", now("jvm_memory_bytes_used", with("area", "heap")).times(1 / MIB));
        rule("gcMsPerSecond", rate("jvm_gc_collection_seconds_sum").times(1e3));
        rule("residentMiB", now("process_resident_memory_bytes").times(1 / MIB));
        rule("openFiles", now("process_open_fds"));
        rule(
                "openFilesPercent",
                now("process_open_fds").per(now("process_max_fds")).times(100));
    }

    /** The JMX exporter, with its own example of a configuration for Tomcat. */
    private static void tomcat() {
        rule("busyThreads", now("tomcat_threadpool_currentthreadsbusy"));
        rule("maxThreads", now("tomcat_threadpool_maxthreads"));
        rule("openConnections", now("tomcat_threadpool_connectioncount"));
        rule("requestsPerSecond", rate("tomcat_requestcount_total"));
    }

    private static void node() {
        String cpu = "node_cpu_seconds_total";
        Predicate<Series> unused = with("mode", "idle", "iowait", "steal");
        rule("machineCpuPercent", rate(cpu, unused.negate()).per(rate(cpu)).times(100));
        rule("busiestCpuPercent", most(cpu, "cpu", one -> rate(cpu, one.and(unused.negate()))
                .per(rate(cpu, one))
                .times(100)));
        rule("stolenPercent", rate(cpu, with("mode", "steal")).per(rate(cpu)).times(100));
        Term total = now("node_memory_MemTotal_bytes");
        rule(
                "memoryUsedPercent",
                total.minus(now("node_memory_MemAvailable_bytes")).per(total).times(100));
        rule("contextSwitchesPerSecond", rate("node_context_switches_total"));
        rule(
                "cpuPressurePercent",
                rate("node_pressure_cpu_waiting_seconds_total").times(100));
        rule(
                "memoryPressurePercent",
                rate("node_pressure_memory_waiting_seconds_total").times(100));
        rule("ioPressurePercent", rate("node_pressure_io_waiting_seconds_total").times(100));
        rule("socketsEstablished", now("node_netstat_Tcp_CurrEstab"));
        rule("socketsTimeWait", now("node_sockstat_TCP_tw"));
        rule("tcpSegmentsSentPerSecond", rate("node_netstat_Tcp_OutSegs"));
        rule("tcpRetransmitsPerSecond", rate("node_netstat_Tcp_RetransSegs"));
        rule("tcpResetsSentPerSecond", rate("node_netstat_Tcp_OutRsts"));
        rule("tcpSynRetransmitsPerSecond", rate("node_netstat_TcpExt_TCPSynRetrans"));
        rule("tcpTimeoutsPerSecond", rate("node_netstat_TcpExt_TCPTimeouts"));
        rule("tcpListenOverflowsPerSecond", rate("node_netstat_TcpExt_ListenOverflows"));
        rule("tcpListenDropsPerSecond", rate("node_netstat_TcpExt_ListenDrops"));
        rule("receivedMbitPerSecond", interfaces("node_network_receive_bytes_total", 8 / 1e6));
        rule("sentMbitPerSecond", interfaces("node_network_transmit_bytes_total", 8 / 1e6));
        rule(
                "networkDropsPerSecond",
                rate("node_network_receive_drop_total").plus(rate("node_network_transmit_drop_total")));
        rule("softirqDropsPerSecond", rate("node_softnet_dropped_total"));
        rule("softirqSqueezesPerSecond", rate("node_softnet_times_squeezed_total"));
    }

    /** The most of one interface; the loopback doesn't count. */
    private static Term interfaces(String metric, double factor) {
        return most(metric, "device", one -> rate(
                        metric, one.and(with("device", "lo").negate()))
                .times(factor));
    }

    private static void proxies() {
        rule("openConnections", now("nginx_connections_active"));
        rule("inFlight", now("nginx_connections_reading").plus(now("nginx_connections_writing")));
        rule("requestsPerSecond", rate("nginx_http_requests_total"));
        rule("rejectedPerSecond", rate("nginx_connections_accepted").minus(rate("nginx_connections_handled")));
        rule("openConnections", now("haproxy_process_current_connections"));
        rule("inFlight", now("haproxy_backend_current_sessions"));
        rule("queuedRequests", now("haproxy_backend_current_queue"));
        rule("requestsPerSecond", rate("haproxy_process_requests_total"));
        Predicate<Series> admin = with("envoy_http_conn_manager_prefix", "admin");
        rule("openConnections", now("envoy_http_downstream_cx_active", admin.negate()));
        rule("inFlight", now("envoy_http_downstream_rq_active", admin.negate()));
        rule("requestsPerSecond", rate("envoy_http_downstream_rq_total", admin.negate()));
        rule("queuedRequests", now("envoy_cluster_upstream_rq_pending_active"));
        rule("rejectedPerSecond", rate("envoy_cluster_upstream_rq_pending_overflow"));
    }

    /**
     * What is known of a page.
     *
     * @param before the same page, read earlier
     * @return finite numbers by figure
     */
    static Map<String, Double> figures(Metrics before, Metrics now) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Rule rule : RULES) {
            double value = rule.term().of(before, now);
            if (Double.isFinite(value)) {
                figures.putIfAbsent(rule.figure(), value);
            }
        }
        return withShare(figures);
    }

    /** With the busy threads of all, if both are known. */
    static Map<String, Double> withShare(Map<String, Double> figures) {
        double share =
                100 * figures.getOrDefault("busyThreads", Double.NaN) / figures.getOrDefault("maxThreads", Double.NaN);
        figures.put("busyThreadsPercent", share);
        return finite(figures);
    }

    static Map<String, Double> finite(Map<String, Double> figures) {
        Map<String, Double> finite = new LinkedHashMap<>(figures);
        finite.values().removeIf(value -> !Double.isFinite(value));
        return finite;
    }
}
