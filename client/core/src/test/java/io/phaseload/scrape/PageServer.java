package io.phaseload.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.plan.Target;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.plan.metrics.ServerMetrics.Choice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An HTTP server on the loopback with one page, which a test writes. */
final class PageServer implements AfterEachCallback {

    private final HttpServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile int status = 200;
    private volatile String type = "text/plain";
    private volatile String page = "";

    private PageServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    static PageServer start() {
        try {
            return new PageServer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often the page was asked for. */
    int asked() {
        return asked.get();
    }

    void answer(int newStatus, String newType, String newPage) {
        status = newStatus;
        type = newType;
        page = newPage;
    }

    /** Answers as Phaseload's own target. */
    void target(long cpuNanos, int inFlight, long uptimeMillis) {
        answer(
                200,
                "application/json",
                """
                {"requests":{"inFlight":%d,"total":%d},"busyThreads":null,"processCpuNs":%d,
                "cores":4,"heapUsedBytes":3145728,"uptimeMs":%d,
                "host":{"cpuPercent":99,"machineCpuPercent":12.5,"later":1}}"""
                        .formatted(inFlight, 7 * uptimeMillis / 1000, cpuNanos, uptimeMillis));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** A probe for Phaseload's own target, or for Prometheus choices by name. */
    ServerProbe probe(String... namesAndSeries) {
        Map<String, Choice> choices = new LinkedHashMap<>();
        for (int i = 0; i < namesAndSeries.length; i += 2) {
            choices.put(namesAndSeries[i], Choice.parse(namesAndSeries[i + 1]));
        }
        return ServerProbe.of(new ServerMetrics(URI.create("/metrics"), choices), Target.of(uri()))
                .get(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        byte[] body = page.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    void stop() {
        server.stop(0);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        stop();
    }
}
