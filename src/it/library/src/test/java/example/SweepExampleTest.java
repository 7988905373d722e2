package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.plan.Plan;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepResult;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepExampleTest {

    @TempDir Path parent;

    @Test
    void runsEachNumberOfThreadsTwice() throws Exception {
        HttpServer server = LoadExample.startServer();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Plan plan = Plan.builder(uri).iterations(10).build();
            Path folder = parent.resolve("sweep");

            SweepResult result =
                    Sweep.of(plan).threads(2, 4).trials(2).folder(folder).run();

            assertTrue(result.finished());
            assertEquals(4, result.rows().size());
            // Loading with half of the threads, and peak; warmup and cooldown don't count.
            assertEquals(
                    2 * (2 + 4) * 10,
                    result.summary().steps().get(1).operations().get(0).totalOps());
            assertTrue(Files.isRegularFile(folder.resolve("trials.csv")));
        } finally {
            server.stop(0);
        }
    }
}
