package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.httpclient.HttpClientProvider;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;

/** Loads a server with the HTTP client that an application has configured for itself. */
class OwnClientExampleTest {

    private static HttpClientBuilder ofTheApplication() {
        return HttpClients.custom()
                .setConnectionManager(
                        PoolingHttpClientConnectionManagerBuilder.create()
                                .setMaxConnTotal(4)
                                .setMaxConnPerRoute(4)
                                .build())
                .setRetryStrategy(
                        new DefaultHttpRequestRetryStrategy(2, TimeValue.ofMilliseconds(100)));
    }

    private static HttpServer startServer() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(anyPort, 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    exchange.getResponseBody().write("alive".getBytes());
                    exchange.close();
                });
        server.start();
        return server;
    }

    @Test
    void itsWaitForAConnectionIsMeasured() throws Exception {
        HttpServer server = startServer();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Plan plan = Plan.builder(uri).threads(20).iterations(20).build();
            Result result =
                    ThreadsLoadClient.of(plan, HttpClientProvider.of(ofTheApplication())).run();

            assertEquals(740, result.totals().succeeded());
            assertEquals(740, result.totals().time(Timing.LEASE).samples());
            assertTrue(result.totals().connectionSetUp().samples() <= 4);
        } finally {
            server.stop(0);
        }
    }
}
