package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What becomes of a run whose server, a process of its own, is killed, stands still, or is full. */
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no signals")
class ServerFaultsIT {

    private static final String PEAK = "PEAK phase: All threads(";

    @TempDir
    private Path folder;

    private JarProcess serve(String name, String options) throws IOException {
        return JarProcess.start(Files.createDirectory(folder.resolve(name)), "serve " + options);
    }

    private static URI url(JarProcess server) throws IOException {
        return URI.create(server.awaitLine("Serving on ").substring("Serving on ".length()));
    }

    private JarProcess run(URI url, String options) throws IOException {
        return JarProcess.start(folder, "run --phases peak=1 --out out --url " + url + " " + options);
    }

    /** Waits until a server has counted so many requests, while a run goes on; returns how many. */
    private static long awaitCount(URI server, long requests, JarProcess run) throws Exception {
        HttpRequest metrics =
                HttpRequest.newBuilder(server.resolve("metrics.json")).build();
        HttpClient client = HttpClient.newHttpClient();
        long counted;
        do {
            assertThat(run.endsWithin(10)).as("the run is over").isFalse();
            String json =
                    client.send(metrics, HttpResponse.BodyHandlers.ofString()).body();
            counted = Cli.json(json).at("/requests/total").asLong();
        } while (counted < requests);
        return counted;
    }

    /** Ends a server in order and returns how many requests it says it served. */
    private static long served(JarProcess server) throws Exception {
        server.signal("TERM");
        String line = server.end().outLines().stream()
                .filter(l -> l.startsWith("Served "))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** The run goes on until the new server, too, has had its share of it. */
    @Test
    void aServerThatIsKilledAndStartedAgainIsUsedAgain() throws Exception {
        try (JarProcess first = serve("first", "--port 0")) {
            URI url = url(first);
            try (JarProcess run = run(url, "-c 8 --rate 200/s --duration 10m --timeout 60s")) {
                run.awaitLine(PEAK);
                awaitCount(url, 100, run);
                first.signal("KILL");
                first.end();
                try (JarProcess second = serve("second", "--port " + url.getPort())) {
                    url(second);
                    awaitCount(url, 100, run);
                    run.signal("TERM");
                    assertThat(run.end().code()).isEqualTo(130);

                    JsonNode result = Accounting.balanced(folder.resolve("out"));
                    JsonNode totals = result.get("totals");
                    // Of each server's hundred, some may be answered to nobody.
                    assertThat(totals.get("succeeded").asLong()).isGreaterThanOrEqualTo(200 - 2 * 8);
                    Map<String, Long> failures = Accounting.byName(totals.get("failures"));
                    assertThat(failures)
                            .containsKey("connect refused")
                            .allSatisfy(
                                    (cause, n) -> assertThat(cause)
                                            .matches(
                                                    "connect refused|reset .*|connection ended, unknown if read|client: stopped in flight"));
                    assertThat(result.at("/phases/0/asked").asLong()).isEqualTo(200 * 600);
                    assertThat(Accounting.byName(result.at("/phases/0/notSent")))
                            .containsOnlyKeys("interrupted");
                    assertThat(served(second))
                            .isBetween(100L, totals.get("requests").asLong());
                }
            }
        }
    }

    /** Nobody gives up on it, so each request is answered once, the late ones with what they waited. */
    @Test
    void aServerThatStallsForSecondsIsWaitedFor() throws Exception {
        try (JarProcess server = serve("server", "--port 0")) {
            URI url = url(server);
            try (JarProcess run = run(url, "-c 20 --rate 100/s --duration 5s --timeout 60s")) {
                run.awaitLine(PEAK);
                awaitCount(url, 50, run);
                server.signal("STOP");
                assertThat(run.endsWithin(2_000)).isFalse();
                server.signal("CONT");
                assertThat(run.end().code()).isZero();
            }
            JsonNode result = Accounting.balanced(folder.resolve("out"));
            JsonNode phase = result.at("/phases/0");
            assertThat(phase.get("asked").asLong()).isEqualTo(500);
            assertThat(phase.get("failures")).isEmpty();
            assertThat(phase.at("/response/maxMs").asDouble()).isGreaterThan(1_900);
            assertThat(phase.at("/service/maxMs").asDouble()).isGreaterThan(1_900);
            // More than the twenty that were in flight were due in that time.
            assertThat(phase.at("/slip/maxMs").asDouble()).isGreaterThan(1_000);
            assertThat(served(server)).isEqualTo(phase.get("requests").asLong());
        }
    }

    @Test
    void aServerThatStallsLongerThanTheTimeoutIsGivenUpOn() throws Exception {
        try (JarProcess server = serve("server", "--port 0")) {
            URI url = url(server);
            try (JarProcess run = run(url, "-c 4 --duration 10m --timeout 500ms")) {
                run.awaitLine(PEAK);
                long before = awaitCount(url, 50, run);
                server.signal("STOP");
                assertThat(run.endsWithin(2_000)).isFalse();
                server.signal("CONT");
                awaitCount(url, before + 100, run);
                run.signal("TERM");
                assertThat(run.end().code()).isEqualTo(130);
            }
            JsonNode totals = Accounting.balanced(folder.resolve("out")).get("totals");
            Map<String, Long> failures = Accounting.byName(totals.get("failures"));
            // Four at a time, for four times as long as one of them waits.
            assertThat(failures.get("read timeout")).isGreaterThanOrEqualTo(4);
            assertThat(failures.keySet()).isSubsetOf("read timeout", "connect timeout");
            assertThat(totals.get("censored")).isEqualTo(totals.get("failed"));
            assertThat(served(server))
                    .isBetween(
                            totals.get("responses").asLong(),
                            totals.get("requests").asLong());
        }
    }

    /** Four are served, some wait to be accepted, and the others don't even get a connection. */
    @Test
    void connectionsThatAFullServerRefusesAreCounted() throws Exception {
        try (JarProcess server = serve("server", "--port 0 --max-connections 4 --accept-count 2")) {
            URI url = url(server);
            // A second after the first try the system tries again. A limit of a second, too, would
            // leave connections that were given up at that instant where others should wait.
            try (JarProcess run = run(url, "-c 24 --duration 3s --timeout 1s --connect-timeout 1500ms")) {
                assertThat(run.end().code()).isZero();
            }
            JsonNode totals = Accounting.balanced(folder.resolve("out")).get("totals");
            assertThat(totals.get("succeeded").asLong()).isPositive();
            Map<String, Long> failures = Accounting.byName(totals.get("failures"));
            assertThat(failures).containsKeys("read timeout", "connect timeout");
            assertThat(failures.keySet()).isSubsetOf("read timeout", "connect timeout", "reset before response");
            assertThat(served(server))
                    .isBetween(
                            totals.get("responses").asLong(),
                            totals.get("requests").asLong());
        }
    }
}
