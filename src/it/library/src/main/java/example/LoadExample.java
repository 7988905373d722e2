package example;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** Loads a server and reads figures off the result. */
public final class LoadExample {

    private LoadExample() {}

    static Result load(URI server) {
        Plan plan = Plan.builder(server).threads(20).iterations(20).build();
        return ThreadsLoadClient.of(plan).run();
    }

    static String describe(Result result) {
        return "%d requests, %.2f %% failed, p99 %s, measurement %s"
                .formatted(
                        result.totals().requests(),
                        result.totals().failedPercent(),
                        result.totals().response().p99(),
                        result.verdict().status());
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = startServer();
        try {
            Result result = load(URI.create("http://localhost:" + server.getAddress().getPort()));
            System.out.println(describe(result));
            if (result.totals().succeeded() != 740) {
                throw new IllegalStateException("expected 740 successes: " + result.totals());
            }
        } finally {
            server.stop(0);
        }
    }

    /** Any HTTP server will do; this one comes with the JDK. */
    static HttpServer startServer() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(anyPort, 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, 5);
                    exchange.getResponseBody().write("alive".getBytes());
                    exchange.close();
                });
        server.start();
        return server;
    }
}
