package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.compare.Comparison;
import io.phaseload.compare.ComparisonJson;
import io.phaseload.compare.Side;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.result.Result;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleTest {

    @TempDir Path parent;

    @Test
    void theLibraryAndItsModelAreModules() {
        assertEquals("io.phaseload.core", ThreadsLoadClient.class.getModule().getName());
        assertEquals("io.phaseload.model", Plan.class.getModule().getName());
    }

    @Test
    void eventLoopsAreFoundAsAModule() throws Exception {
        HttpServer server = LoadExample.startServer();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Plan plan =
                    Plan.builder(uri).iterations(10).engine(EngineSettings.of("events")).build();

            Result result = ThreadsLoadClient.of(plan).run();

            assertEquals("events", result.engine().name());
            assertEquals(0, result.totals().failed());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void resultsAreKeptReadAndCompared() throws Exception {
        HttpServer server = LoadExample.startServer();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Plan plan = Plan.builder(uri).iterations(10).build();
            ResultFolder folder = ResultFolder.create(parent, Instant.now(), "kept");
            Result result;
            try (IntervalFiles files = folder.begin(plan)) {
                result = ThreadsLoadClient.of(plan, files).run();
            }
            folder.write(result);

            StoredRun stored = StoredRun.read(folder.path());

            assertEquals(result.totals().requests(), stored.result().totals().requests());
            Side side = new Side("kept", List.of(new Side.Trial("kept", stored)));
            Comparison comparison =
                    Comparison.of(
                            side, side, Optional.empty(), new Comparison.Tolerance(0.05, 0.1));
            assertTrue(
                    ComparisonJson.write(List.of(comparison), Optional.empty())
                            .contains("\"p99\""));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void theApiCompilesWithoutWarnings() throws IOException {
        assertEquals("", compile("io.phaseload.plan.Plan"));
    }

    @Test
    void whatIsNotExportedDoesNotCompile() throws IOException {
        String errors = compile("io.phaseload.http.response.ResponseParser");

        assertTrue(errors.contains("compiler.err.package.not.visible"), errors);
    }

    /** What the compiler says of a module that uses a type. */
    private String compile(String type) throws IOException {
        Path module = Files.writeString(parent.resolve("module-info.java"),
                "module user { requires io.phaseload.core; }");
        Path user = Files.createDirectories(parent.resolve("user")).resolve("User.java");
        Files.writeString(user, "package user; class User { " + type + " used; }");
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "-XDrawDiagnostics",
                        "-Xlint:all",
                        "-p",
                        System.getProperty("jdk.module.path"),
                        "-d",
                        parent.resolve("classes").toString(),
                        module.toString(),
                        user.toString());
        return said.toString();
    }
}
