package io.phaseload.cli.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.cli.Cli;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Streams of the Tomcat target, which counts the events that it has written. */
@Tag("slow")
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

    /** Reasoning after 30, 60 and 90 ms, then what is said, after 200 and 230 ms. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void aModelsFirstOutputIsAfterItsReasoning(String engine) throws IOException {
        HttpServer model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        model.createContext("/", EventStreamRunTest::reason);
        model.start();
        try {
            Cli cli = Cli.run(
                    "--url",
                    "http://127.0.0.1:" + model.getAddress().getPort() + "/",
                    "--engine",
                    engine,
                    "--json",
                    "--phases",
                    "peak=1",
                    "-c",
                    1,
                    "-n",
                    1,
                    "--event-stream",
                    "openai",
                    "--out",
                    folder.resolve("run"));

            assertThat(cli.code()).as(cli.err()).isZero();
            JsonNode streams = JsonMapper.shared()
                    .readTree(folder.resolve("run").resolve("result.json").toFile())
                    .at("/totals/streams");
            double token = streams.at("/firstEvent/minMs").asDouble();
            double output = streams.at("/firstOutput/minMs").asDouble();
            assertThat(streams.at("/events").asInt()).isEqualTo(5);
            assertThat(streams.at("/firstEvent/samples").asInt()).isOne();
            assertThat(streams.at("/firstOutput/samples").asInt()).isOne();
            assertThat(streams.at("/eventGap/samples").asInt()).isEqualTo(4);
            assertThat(token).isGreaterThanOrEqualTo(29.9).isLessThan(output);
            assertThat(output).isGreaterThanOrEqualTo(199.8);
        } finally {
            model.stop(0);
        }
    }

    private static void reason(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            for (String token :
                    List.of("30 reasoning_content", "60 reasoning", "90 reasoning", "200 content", "230 content")) {
                String[] dueAndKey = token.split(" ");
                long due = start + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(dueAndKey[0]));
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                body.write("data: {\"choices\":[{\"delta\":{\"%s\":\"x\"}}]}\n\n"
                        .formatted(dueAndKey[1])
                        .getBytes(US_ASCII));
                body.flush();
            }
            body.write("data: [DONE]\n\n".getBytes(US_ASCII));
        }
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
