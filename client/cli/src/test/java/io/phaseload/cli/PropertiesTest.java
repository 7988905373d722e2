package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.cli.RecordingServer.Received;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** System properties stand in for options, as {@code mvn exec:java -Dthreads=20} needs it. */
class PropertiesTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    @Test
    void areTheDefaultsOfOptions() {
        Cli run = Cli.runWith(Map.of(
                "url", server.url().toString(),
                "threads", "3",
                "iterations", "2",
                "phases", "low=0.4,high=1",
                "out", out.toString(),
                "label", "commit=abc",
                "json", ""));
        assertThat(run.code()).isZero();
        JsonNode plan = run.json().get("plan");
        assertThat(plan.at("/target/url").asString()).isEqualTo(server.url().toString());
        assertThat(plan.get("threads").asInt()).isEqualTo(3);
        assertThat(plan.get("phases").findValuesAsString("name")).containsExactly("low", "high");
        assertThat(plan.at("/phases/0/iterations").asInt()).isEqualTo(2);
        assertThat(plan.at("/labels/commit").asString()).isEqualTo("abc");
        assertThat(server.received()).hasSize((1 + 3) * 2);
        assertThat(out).isDirectoryContaining("glob:**/result.json");
    }

    @Test
    void yieldToTheCommandLine() {
        Cli run = Cli.runWith(
                Map.of(
                        "url", "nonsense",
                        "threads", "nonsense",
                        "iterations", "500",
                        "phases", "low=0.5",
                        "get", "/property",
                        "json", "true"),
                "--url=" + server.url(),
                "-c",
                1,
                "--iterations",
                2,
                "--phases",
                "one=1",
                "--get",
                "/line",
                "--json=false",
                "--out",
                out);
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("Client starting....").contains("ONE phase: All threads(1)");
        assertThat(server.received()).extracting(Received::line).containsExactly("GET /line", "GET /line");
    }

    @Test
    void aBodyIsForThePostBesideIt() throws Exception {
        Path file = Files.writeString(folder.resolve("body.txt"), "from a file");
        for (String body : new String[] {"from a property", "@" + file}) {
            Cli run = Cli.runWith(
                    Map.of("body", body, "post", "/form"),
                    "--url",
                    server.url(),
                    "--phases=one=1",
                    "-c",
                    1,
                    "-n",
                    1,
                    "--out",
                    folder.resolve("out" + body.length()));
            assertThat(run.code()).isZero();
        }
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(tuple("POST /form", "from a property"), tuple("POST /form", "from a file"));
    }
}
