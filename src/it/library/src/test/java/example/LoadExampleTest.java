package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.result.Result;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadExampleTest {

    @Test
    void everyRequestSucceedsWithinTheThreshold() throws Exception {
        HttpServer server = LoadExample.startServer();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Result result = LoadExample.load(uri);

            assertEquals(740, result.totals().requests());
            assertEquals(0, result.totals().failed());
            assertEquals(400, result.phases().get(2).figures().requests());
            Duration p99 = result.totals().response().p99().value().orElseThrow();
            assertTrue(p99.compareTo(Duration.ofSeconds(5)) < 0);
        } finally {
            server.stop(0);
        }
    }
}
