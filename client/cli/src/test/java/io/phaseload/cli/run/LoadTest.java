package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.RecordingServer.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Load models from the command line to the result. */
@Tag("slow")
class LoadTest {

    private static final String CLOSED = "\nClosed model: a user sends its next request when the last one ends";
    private static final String OPEN = "\nOpen model: requests are sent when they are due; latency counts from then\n"
            + "  Sent late by \\(ms\\): p99 (n too small|\\d+\\.\\d{3}), max"
            + " \\d+\\.\\d{3}\n";

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli run(Object... options) {
        return Cli.run(Cli.line(List.of("--url", server.url(), "-o", out), options));
    }

    private JsonNode result() throws IOException {
        return Cli.json(Files.readString(out.resolve("result.json")));
    }

    /** The plan's loads, one a phase. */
    private static String loads(JsonNode result) {
        return result.at("/plan/phases").findValues("load").toString();
    }

    @Test
    void anOpenPhaseSendsWhatItsRateAsksFor() throws Exception {
        // As many users as are due in 250 ms, so that a slow machine has them waiting at the end.
        Cli run =
                run("--rate", "200/s", "--duration", "1s", "--phases", "peak=1", "-c", 50, "--get", "/", "--post", "/");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Total number of requests sent: 200\n")
                .containsPattern(OPEN)
                .doesNotContain("Closed model", "Not sent");
        assertThat(server.received())
                .hasSize(200)
                .filteredOn(request -> request.line().equals("GET /"))
                .hasSize(100);
        JsonNode phase = result().at("/phases/0");
        assertThat(phase.get("asked").asInt()).isEqualTo(200);
        assertThat(phase.get("requests").asInt()).isEqualTo(200);
        assertThat(phase.get("notSent")).isEmpty();
        assertThat(phase.at("/slip/samples").asInt()).isEqualTo(200);
        assertThat(phase.at("/response/p99Ms").isNull()).isTrue();
        assertThat(phase.at("/response/unsupported/p99Ms").asString())
                .isEqualTo("n too small: 200 samples, 563 needed");
        assertThat(phase.at("/response/p95Ms").isNumber()).isTrue();
        assertThat(loads(result()))
                .isEqualTo("[{\"model\":\"open\",\"arrivals\":{\"kind\":\"constant\","
                        + "\"rate\":\"200/s\"},\"overload\":\"queue\"}]");
    }

    @Test
    void requestsWithoutAFreeUserAreDroppedAndCounted() throws Exception {
        Cli run = Cli.run(
                "--target=tomcat",
                "--get=/delay?ms=100",
                "--rate=100/s",
                "--overload=drop",
                "--duration=1s",
                "--phases=peak=1",
                "-c=2",
                "-o",
                out);
        assertThat(run.code()).isZero();
        JsonNode phase = result().at("/phases/0");
        int sent = phase.get("requests").asInt();
        int dropped = phase.at("/notSent/dropped").asInt();
        // Two users can send twenty in a second, and what they took before its end.
        assertThat(sent).isBetween(1, 22);
        assertThat(dropped).isPositive();
        int missing = 0;
        for (JsonNode count : phase.get("notSent")) {
            missing += count.asInt();
        }
        assertThat(phase.get("asked").asInt()).isEqualTo(100);
        assertThat(sent + missing).isEqualTo(100);
        assertThat(result().at("/target/requests").asInt()).isEqualTo(sent);
        assertThat(run.out())
                .contains("\nNot sent: " + missing + " of 100 (dropped " + dropped)
                .containsPattern(OPEN);
        assertThat(loads(result())).contains("\"overload\":\"drop\"");
    }

    @Test
    void usersThinkBetweenIterations() throws Exception {
        Cli run = run("--think", "20ms..30ms", "--phases", "one=1", "-c", 2, "-n", 4, "--get", "/");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(CLOSED + "\n  after a pause\n").doesNotContain("Open model", "Not sent");
        assertThat(server.received()).hasSize(8);
        assertThat(result().at("/phases/0/wallSeconds").asDouble()).isGreaterThanOrEqualTo(0.06);
        assertThat(result().at("/phases/0/requests").asInt()).isEqualTo(8);
        assertThat(loads(result())).isEqualTo("[{\"model\":\"closed\",\"thinkMs\":[20.0,30.0]}]");
    }

    @Test
    void usersKeepAPaceAndBeginOneAfterAnother() throws Exception {
        Cli run = run("--pacing", "20ms", "--ramp", "100ms", "--phases", "one=1", "-c", 2, "-n", 2, "--get", "/");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(CLOSED + "\n  after a pause\n");
        assertThat(server.received()).hasSize(4);
        // The second user begins at half the ramp.
        assertThat(result().at("/phases/0/wallSeconds").asDouble()).isGreaterThanOrEqualTo(0.07);
        assertThat(loads(result())).isEqualTo("[{\"model\":\"closed\",\"pacingMs\":[20.0,20.0],\"rampMs\":100.0}]");
    }

    @Test
    void noPauseAtAllIsNone() throws Exception {
        Cli run = run("--think", "0s", "--pacing", "0ms..0ms", "--phases=one=1", "-c", 1, "-n", 1);
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(CLOSED + "\n");
        assertThat(loads(result())).isEqualTo("[{\"model\":\"closed\"}]");
    }

    @Test
    void aPhaseHasItsShareOfTheRateUnlessItHasItsOwn() throws Exception {
        Cli run = run(
                "--rate",
                "1k/s",
                "-n",
                1,
                "-c",
                4,
                "--phases",
                "a=0.25, b=1, c=0.5 at 300/s, d=1 at 100/s..300/s for 20ms",
                "--get",
                "/",
                "--post",
                "/");
        assertThat(run.code()).isZero();
        assertThat(result().at("/plan/phases").findValuesAsString("rate"))
                .containsExactly("250/s", "1000/s", "300/s", "100/s");
        assertThat(result().at("/plan/phases/3/load").toString())
                .isEqualTo("{\"model\":\"open\",\"arrivals\":{\"kind\":\"ramp\",\"rate\":\"100/s\","
                        + "\"toRate\":\"300/s\",\"lengthMs\":20.0},"
                        + "\"overload\":\"queue\"}");
        // Iterations count as the requests that the phase's users would send.
        assertThat(result().get("phases").findValuesAsString("asked")).containsExactly("2", "8", "4", "4");
    }

    @Test
    void phasesOfBothModelsAndLengthsCanBeMixed() throws Exception {
        Cli run = run(
                "--think",
                "1ms",
                "-n",
                2,
                "-c",
                2,
                "--get",
                "/",
                "--phases",
                "a=1, b=1 for 3 iterations, c=1 for 20ms, d=1 for 1 iteration at 500/s");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(CLOSED + "\n  after a pause\n").containsPattern(OPEN);
        JsonNode plan = result().at("/plan/phases");
        assertThat(plan.at("/0/iterations").asInt()).isEqualTo(2);
        assertThat(plan.at("/1/iterations").asInt()).isEqualTo(3);
        assertThat(plan.at("/2/durationMs").asDouble()).isEqualTo(20);
        assertThat(plan.findValuesAsString("model")).containsExactly("closed", "closed", "closed", "open");
        assertThat(result().at("/phases/0/requests").asInt()).isEqualTo(4);
        assertThat(result().at("/phases/1/requests").asInt()).isEqualTo(6);
        assertThat(result().at("/phases/3/requests").asInt()).isEqualTo(2);
    }

    @Test
    void theSameSeedMakesTheSamePlan() throws Exception {
        String first = poisson("first", 7);
        assertThat(poisson("again", 7)).isEqualTo(first);
        assertThat(poisson("other", 8)).isNotEqualTo(first);
        JsonNode plan = Cli.json(first);
        assertThat(plan.get("seed").asInt()).isEqualTo(7);
        assertThat(plan.at("/phases/0/load/arrivals/kind").asString()).isEqualTo("poisson");
        assertThat(plan.at("/phases/0/load/arrivals/seed").asLong())
                .isNotEqualTo(plan.at("/phases/1/load/arrivals/seed").asLong());
    }

    private String poisson(String name, int seed) throws IOException {
        Path out = folder.resolve(name);
        Cli run = Cli.run(
                "--url",
                server.url(),
                "--rate=1k/s",
                "--arrivals=poisson",
                "--seed",
                seed,
                "--phases=a=1,b=0.5",
                "-n=1",
                "-c=2",
                "-o",
                out);
        assertThat(run.code()).isZero();
        return Cli.json(Files.readString(out.resolve("result.json")))
                .get("plan")
                .toString();
    }

    @Test
    void theSeedIsOneByDefaultAndMayBeZero() throws Exception {
        assertThat(run("--phases=a=1", "-n=1", "-c=1").code()).isZero();
        assertThat(result().at("/plan/seed").asLong()).isEqualTo(1);
        Path zero = folder.resolve("zero");
        Cli run = Cli.run("--url", server.url(), "--seed=0", "--phases=a=1", "-n=1", "-c=1", "-o", zero);
        assertThat(run.code()).isZero();
        assertThat(Cli.json(Files.readString(zero.resolve("result.json")))
                        .at("/plan/seed")
                        .asInt())
                .isZero();
    }

    @Test
    void openModelsCanBeAskedForWithProperties() throws Exception {
        Cli run = Cli.runWith(Map.of(
                "url", server.url().toString(),
                "out", out.toString(),
                "phases", "one=1 for 2 iterations",
                "threads", "2",
                "rate", "500/s",
                "arrivals", "poisson",
                "overload", "queue",
                "seed", "3",
                "put", "/item",
                "expect", "status=200"));
        assertThat(run.code()).isZero();
        JsonNode plan = result().get("plan");
        assertThat(plan.get("seed").asInt()).isEqualTo(3);
        assertThat(loads(result()))
                .isEqualTo("[{\"model\":\"open\",\"arrivals\":{\"kind\":\"poisson\","
                        + "\"rate\":\"500/s\",\"seed\":93},\"overload\":\"queue\"}]");
        assertThat(plan.at("/operations/0/checks").toString()).isEqualTo("[\"status=200\"]");
        assertThat(server.received()).extracting(Received::line).hasSize(4).containsOnly("PUT /item");
    }

    @Test
    void closedModelsCanBeAskedForWithProperties() throws Exception {
        Map<String, String> common = Map.of(
                "url", server.url().toString(),
                "phases", "one=1",
                "threads", "1",
                "iterations", "1",
                "ramp", "10ms",
                "delete", "/item");
        Path paced = folder.resolve("paced");
        assertThat(Cli.runWith(common, "--think=1ms..2ms", "-o", out).code()).isZero();
        assertThat(Cli.runWith(common, "--pacing=1ms", "-o", paced).code()).isZero();
        assertThat(loads(result())).isEqualTo("[{\"model\":\"closed\",\"thinkMs\":[1.0,2.0],\"rampMs\":10.0}]");
        assertThat(server.received()).extracting(Received::line).containsExactly("DELETE /item", "DELETE /item");
        Cli both = Cli.runWith(Map.of("think", "1ms", "pacing", "2ms"), "-o", folder);
        assertThat(both)
                .isEqualTo(new Cli(2, "", "-Dpacing=2ms cannot be combined with -Dthink" + System.lineSeparator()));
    }
}
