package io.phaseload.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.phaseload.http.TestCertificate;
import io.phaseload.plan.Target;
import io.phaseload.plan.metrics.ServerMetrics;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ServerProbeTest {

    @RegisterExtension
    final PageServer server = PageServer.start();

    @Test
    void cpuIsTheShareOfAllCoresByTheServersClock() throws IOException {
        ServerProbe probe = server.probe();
        server.target(1_000_000_000, 0, 5_000);
        probe.begin();
        server.target(2_000_000_000, 7, 5_500);
        assertThat(probe.read().values())
                .containsOnly(
                        entry("cpuPercent", 50.0),
                        entry("machineCpuPercent", 12.5),
                        entry("inFlight", 7.0),
                        entry("heapMiB", 3.0),
                        // Of 35 and 38.
                        entry("requestsPerSecond", 6.0));
        server.target(2_100_000_000, 7, 6_500);
        assertThat(probe.read().values().get("cpuPercent")).isEqualTo(2.5);
    }

    @Test
    void cpuIsUnknownOnceAfterAServersRestart() throws IOException {
        ServerProbe probe = server.probe();
        server.target(1_000_000_000, 0, 5_000);
        probe.begin();
        server.target(1_200_000_000, 1, 100);
        assertThat(probe.read().values()).doesNotContainKey("cpuPercent").containsEntry("inFlight", 1.0);
        server.target(1_600_000_000, 1, 1_100);
        assertThat(probe.read().values().get("cpuPercent")).isEqualTo(10);
    }

    @Test
    void afterAGapARateCoversTheWholeTime() throws IOException {
        ServerProbe probe = server.probe();
        server.target(0, 0, 0);
        probe.begin();
        server.answer(503, "text/plain", "busy");
        assertThatThrownBy(probe::read).hasMessage("it responded with status 503");
        server.target(4_000_000_000L, 0, 2_000);
        assertThat(probe.read().values().get("cpuPercent")).isEqualTo(50);
    }

    @Test
    void selectionsSumMatchingSeries() throws IOException {
        ServerProbe probe = server.probe("heap", "used{area=\"heap\"}", "cpu", "cpu", "none", "no");
        server.answer(
                200,
                "text/plain; version=0.0.4; charset=utf-8",
                """
                # TYPE used gauge
                used{area="heap",id="Eden"} 1.5
                used{area="heap",id="Old"} 2
                used{area="nonheap",id="Metaspace"} 100
                cpu NaN
                """);
        assertThat(probe.read().values()).containsOnly(entry("heap", 3.5));
    }

    @Test
    void aRateIsTheGrowthOfItsCounter() throws IOException {
        ServerProbe probe = server.probe("cpu", "rate(cpu_seconds_total)");
        server.answer(200, "text/plain", "cpu_seconds_total 10\n");
        assertThat(probe.read().values()).isEmpty();
        long before = System.nanoTime();
        server.answer(200, "text/plain", "cpu_seconds_total 11\n");
        probe.begin();
        server.answer(200, "text/plain", "cpu_seconds_total 14\n");
        double least = 3 / ((System.nanoTime() - before) / 1e9 + 5);
        assertThat(probe.read().values().get("cpu")).isGreaterThan(least);
        server.answer(200, "text/plain", "cpu_seconds_total 1\n");
        assertThat(probe.read().values()).isEmpty();
    }

    @Test
    void rejectsImplausibleAnswers() throws IOException {
        server.target(1, 0, 1);
        server.probe().check();
        server.answer(200, "text/plain", "up 1\n");
        assertThat(server.probe("up", "up").check()).isEmpty();

        assertThat(server.probe("x", "up", "y", "down{a=\"b\"}").check()).containsExactly("down{a=\"b\"}");
        assertThatThrownBy(server.probe()::check).hasMessage("it has no metric that is known");
        server.answer(200, "application/json", "oops");
        assertThatThrownBy(server.probe()::check).hasMessage("it isn't JSON");
        server.answer(200, "application/json", "{\"a\": 1}");
        assertThatThrownBy(server.probe()::check).hasMessage("it has neither requests.inFlight nor uptimeMs");
        assertThatThrownBy(server.probe("up", "up")::check)
                .hasMessage("line 1 isn't in Prometheus text format: {\"a\": 1}");
        server.answer(404, "text/html", "<html>");
        assertThatThrownBy(server.probe()::check).hasMessage("it responded with status 404");
        server.answer(302, "text/html", "<html>");
        assertThatThrownBy(server.probe()::check).hasMessage("it responded with status 302");
        server.stop();
        assertThatThrownBy(server.probe()::check).isInstanceOf(ConnectException.class);
    }

    @Test
    void verifiesCertificatesUnlessTheTargetIsInsecure(@TempDir Path folder) throws Exception {
        HttpsServer tls = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        tls.setHttpsConfigurator(new HttpsConfigurator(
                TestCertificate.of("other.example", folder).server()));
        tls.createContext("/metrics", exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("up 1\n".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        tls.start();
        try {
            URI uri = URI.create("https://127.0.0.1:" + tls.getAddress().getPort() + "/");
            Target verified = Target.of(uri);
            Duration limit = Duration.ofSeconds(5);
            Target insecure = new Target(uri, List.of(), limit, limit, true);
            ServerMetrics metrics =
                    new ServerMetrics(URI.create("/metrics"), Map.of("up", ServerMetrics.Choice.parse("up")));

            ServerProbe.of(metrics, insecure).get(0).check();
            assertThatThrownBy(ServerProbe.of(metrics, verified).get(0)::check).isInstanceOf(SSLException.class);
        } finally {
            tls.stop(0);
        }
    }

    @Test
    void rejectsAnEndlessPage() {
        server.answer(200, "text/plain", "#".repeat((16 << 20) + 1));
        assertThatThrownBy(server.probe("up", "up")::check).hasMessage("it responded with more than 16 MiB");
    }
}
