package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Streams of the Tomcat target, which counts the events that it has written. */
class EventStreamRunTest {

    private static TargetServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder().port(0).build());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Cli run(Object... more) {
        Object[] usual = {"--url", server.url(), "--phases", "peak=1", "--out", folder.resolve("run"), "--quiet"};
        return Cli.run(Stream.of(usual, more).flatMap(Arrays::stream).toArray());
    }

    /** Three users, two streams each: the last of 20 events is due after 40 + 19 × 5 + 200 ms. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void countsAreTheServersAndAStallIsInTheGaps(String engine) {
        long before = server.eventsSent();

        Cli cli = run(
                "--engine",
                engine,
                "--json",
                "-c",
                3,
                "-n",
                2,
                "--get",
                "/events?count=20&first=40&gap=5&after=10&stall=200",
                "--event-stream",
                "events sentAt=/sentAt:us");

        assertThat(cli.code()).as(cli.err()).isZero();
        JsonNode totals = cli.json().at("/totals");
        assertThat(totals.at("/succeeded").asInt()).isEqualTo(6);
        assertThat(totals.at("/streams/events").asInt()).isEqualTo(120);
        assertThat(server.eventsSent() - before).isEqualTo(120);
        assertThat(totals.at("/streams/firstEvent/samples").asInt()).isEqualTo(6);
        assertThat(totals.at("/streams/eventGap/samples").asInt()).isEqualTo(114);
        assertThat(totals.at("/streams/eventDelivery/samples").asInt()).isEqualTo(120);
        assertThat(totals.at("/streams/firstEvent/minMs").asDouble()).isGreaterThanOrEqualTo(39.9);
        assertThat(totals.at("/response/minMs").asDouble()).isGreaterThanOrEqualTo(334.5);
        // Only an event that is late by half of it could hide it, in all six streams.
        assertThat(totals.at("/streams/eventGap/maxMs").asDouble()).isGreaterThanOrEqualTo(100);
        // The server ends its streams, so that connections are kept.
        assertThat(totals.at("/connectionSetUp/samples").asInt()).isEqualTo(3);
    }

    /** Events 1 to 4, 4 to 7 and 7 to 9. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void aStreamGoesOnFromItsLastEvent(String engine) {
        long before = server.eventsSent();

        Cli cli = run(
                "--engine",
                engine,
                "--json",
                "-c",
                1,
                "-n",
                1,
                "--get",
                "/events?count=9&cut=4&retry=5&repeat=1",
                "--event-stream",
                "events count=9 reconnect");

        assertThat(cli.code()).as(cli.err()).isZero();
        JsonNode totals = cli.json().at("/totals");
        assertThat(totals.at("/requests").asInt()).isOne();
        assertThat(totals.at("/resent").asInt()).isEqualTo(2);
        assertThat(totals.at("/streams/events").asInt()).isEqualTo(9);
        assertThat(totals.at("/streams/repeated").asInt()).isEqualTo(2);
        assertThat(totals.at("/streams/reconnect/samples").asInt()).isEqualTo(2);
        assertThat(server.eventsSent() - before).isEqualTo(11);
    }

    @Test
    void tokensHaveLinesOfTheirOwnAndThresholds() {
        Cli cli = run(
                "-c",
                2,
                "-n",
                2,
                "--post",
                "/v1/chat/completions?first=20&gap=2",
                "--body",
                "{\"stream\": true, \"max_tokens\": 12}",
                "--event-stream",
                "openai",
                "--threshold",
                "first-event min > 19ms",
                "--threshold",
                "event-gap mean > 10m",
                "--threshold",
                "event-delivery p50 < 1s");

        assertThat(cli.code()).as(cli.err()).isEqualTo(99);
        assertThat(cli.out())
                .contains("Tokens: 48 in 4 streams, ")
                .contains("First token (ms): mean ")
                .contains("Gap between tokens (ms): mean ")
                .containsPattern("PASS +first-event min > 19ms")
                .containsPattern("FAIL +event-gap mean > 10m")
                .contains("no events");
    }

    @Test
    void whatCannotBeReadIsOneLine() {
        assertRefused("--event-stream openapi", "--event-stream", "openapi");
        assertRefused("expected HTTP/1.1", "--event-stream", "events", "--engine", "events", "--http2");
        assertRefused("given twice", "--get", "/", "--event-stream", "events", "--event-stream", "events");
        Cli far = Cli.run("--url", "http://192.0.2.1/", "--event-stream", "events sentAt=/sentAt:us");
        assertThat(far.code()).isEqualTo(2);
        assertThat(far.err()).contains("event stream of GET /: sentAt: expected a target on this");
    }

    private void assertRefused(String message, Object... more) {
        Cli cli = run(more);
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains(message).hasLineCount(1);
    }
}
