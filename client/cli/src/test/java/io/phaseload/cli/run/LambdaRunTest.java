package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs against the Lambda handler in this JVM. */
class LambdaRunTest {

    private static final String TARGET =
            "Target: Lambda handler at http://127\\.0\\.0\\.1:\\d+/ in the client's own JVM";

    @TempDir
    private Path folder;

    private Cli run(Object... arguments) {
        List<Object> line = new ArrayList<>(List.of("--target", "lambda", "-o", out()));
        line.addAll(List.of(arguments));
        return Cli.run(line.toArray());
    }

    private Path out() {
        return folder.resolve("out");
    }

    private static String target(Cli run) {
        return run.outLines().stream()
                .filter(line -> line.startsWith("Target: "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theHandlerAnswersAllThatIsSent() throws Exception {
        Cli run = run("--threads", 20, "--iterations", 100);
        assertThat(run.code()).isZero();
        assertThat(run.err()).startsWith("7,400 requests: ").hasLineCount(1);
        assertThat(run.outLines()).contains("Total number of requests sent: 7400", "Failed requests: 0 (0.00 %)");
        assertThat(target(run)).matches(TARGET + "; it counted 7400 requests");
        JsonNode result = Cli.json(Files.readString(out().resolve("result.json")));
        assertThat(result.at("/target/requests").asLong()).isEqualTo(7400);
        assertThat(result.at("/totals/succeeded").asLong()).isEqualTo(7400);
    }

    @Test
    void theTargetCanBeASystemProperty() {
        Cli run = Cli.runWith(Map.of("target", "lambda", "threads", "2", "iterations", "2"), "-o", out());
        assertThat(run.code()).isZero();
        assertThat(target(run)).matches(TARGET + "; it counted 20 requests");
    }

    @Test
    void itemsAreKept() {
        String item = "{\"key\": \"é\"}";
        Cli run = run(
                "--threads",
                1,
                "--iterations",
                3,
                "--put",
                "/items/a%20b",
                "--body",
                item,
                "--get",
                "/items/a%20b",
                "--expect",
                "status=200 body~'" + item + "'",
                "--delete",
                "/items/a%20b",
                "--expect",
                "status=204");
        assertThat(run.code()).isZero();
        assertThat(run.outLines()).contains("Total number of requests sent: 36", "Failed requests: 0 (0.00 %)");
    }

    @Test
    void whatNeedsMoreInstancesThanAreAllowedFails() throws Exception {
        // All users begin while the only instance is still starting.
        Cli run = run(
                "--threads",
                8,
                "--phases",
                "peak=1",
                "--iterations",
                1,
                "--lambda-instances",
                1,
                "--lambda-cold-start",
                "2s");
        assertThat(run.code()).isZero();
        assertThat(target(run))
                .matches(TARGET + ", instance limit 1, simulated cold start 2000 ms;" + " it counted 16 requests");
        JsonNode result = Cli.json(Files.readString(out().resolve("result.json")));
        assertThat(result.at("/totals/failures/http 429").asLong()).isBetween(7L, 14L);
        assertThat(result.at("/totals/response/maxMs").asDouble()).isGreaterThanOrEqualTo(2000);
        assertThat(result.at("/target/description").asString())
                .contains("instance limit 1, simulated cold start 2000 ms");
    }
}
