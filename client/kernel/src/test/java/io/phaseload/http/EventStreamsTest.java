package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.TestEngine;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.run.RunListener;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses that are streams of events, against servers that say exactly what they mean to. */
@Tag("contract")
@Tag("wire")
@Timeout(60)
class EventStreamsTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n";

    private static final String END = "0\r\n\r\n";

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String event(String data) {
        return chunk("data: " + data + "\n\n");
    }

    private static String numbered(int id) {
        return chunk("id: " + id + "\ndata: x\n\n");
    }

    private static Tally run(MisbehavingServer server, String stream, int iterations) {
        return run(server, stream, iterations, LONG);
    }

    private static Tally run(MisbehavingServer server, String stream, int iterations, Duration timeout) {
        Operation operation = Operation.get("/events").withEvents(EventStream.parse(stream));
        Plan plan = Plan.builder(server.uri())
                .connectTimeout(LONG)
                .responseTimeout(timeout)
                .operations(operation)
                .threads(1)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(iterations)))
                .build();
        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();
        assertThat(measured.fault()).isEmpty();
        return Tallies.sum(measured.phases().get(0).operations());
    }

    private static long millis(Tally tally, Timing kind) {
        return (long) (tally.histogram(kind).getMinValue() / 1e6);
    }

    private static String lastEventId(String request) {
        return request.lines()
                .filter(line -> line.startsWith("Last-Event-ID: "))
                .map(line -> line.substring(15))
                .collect(Collectors.joining());
    }

    @Test
    void theFirstEventAndTheGapsAreTimed() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD + chunk(": a comment is no event\n\n"));
            peer.pause(Duration.ofMillis(60));
            peer.write(event("1"));
            peer.pause(Duration.ofMillis(80));
            peer.write(event("2") + event("3") + END);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events", 1);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.FIRST_EVENT)).isOne();
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isEqualTo(2);
            assertThat(millis(tally, StreamTimings.FIRST_EVENT)).isGreaterThanOrEqualTo(59);
            // Both together, since the first one may have arrived late.
            assertThat(millis(tally, StreamTimings.FIRST_EVENT)
                            + tally.histogram(StreamTimings.EVENT_GAP).getMaxValue() / 1e6)
                    .isGreaterThanOrEqualTo(138);
            assertThat(millis(tally, Timing.RESPONSE)).isGreaterThanOrEqualTo(139);
            assertThat(server.requests().get(0)).contains("Accept: text/event-stream\r\n");
        }
    }

    /** Wherever it is cut, and without a length of its own. */
    @Test
    void bytesComeOneByOne() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            for (char each : (head + "data: 1\r\n\r\ndata: 2\r\n\r\n").toCharArray()) {
                peer.write(Character.toString(each));
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events", 1);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isOne();
        }
    }

    /** It is cut off, and the next request goes over another connection. */
    @Test
    void aStreamIsOverAfterItsNumberOfEvents() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD);
            peer.flood(event("x"));
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events count=5", 3);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.FIRST_EVENT)).isEqualTo(3);
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isEqualTo(12);
            assertThat(server.connections()).isEqualTo(3);
        }
    }

    @Test
    void tokensOfAModelAreEventsWithAText() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(HEAD
                        + event("{\"choices\":[{\"delta\":{\"role\":\"a\"}}]}")
                        + event("{\"choices\":[{\"delta\":{\"content\":\"\"}}]}")
                        + event("{\"choices\":[{\"delta\":{\"content\":\"A\"}}]}")
                        + event("{\"choices\":[{\"delta\":{\"content\":\"B\"}}]}")
                        + event("{\"choices\":[],\"usage\":{}}")
                        + event("[DONE]"));
                // Late, but soon enough for the connection to be kept.
                peer.pause(Duration.ofMillis(2));
                peer.write(END);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "openai", 3);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.FIRST_EVENT)).isEqualTo(3);
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isEqualTo(3);
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void typesOfEventsTell() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD
                    + chunk("event: message_start\ndata: {}\n\n")
                    + chunk("event: ping\ndata: {}\n\n")
                    + chunk("event: content_block_delta\n" + "data: {\"delta\":{\"text\":\"Hi\"}}\n\n")
                    + chunk("event: message_stop\ndata: {}\n\n"));
            // It never ends the response.
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "anthropic", 2);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.FIRST_EVENT)).isEqualTo(2);
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isZero();
            assertThat(server.connections()).isEqualTo(2);
            assertThat(millis(tally, Timing.RESPONSE)).isLessThan(LONG.toMillis() / 2);
        }
    }

    @Test
    void aStreamIsOverAfterItsTime() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD);
            peer.drip(event("x"), Duration.ofMillis(10));
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events for=120ms", 1);

            assertThat(tally.causes()).isEmpty();
            assertThat(millis(tally, Timing.RESPONSE)).isBetween(119L, 120L);
        }
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    early, events count=3, stream ended early
                    early, openai, stream ended early
                    early, openai count=1, stream ended early
                    type, events, not an event stream
                    empty, events, stream without events
                    reset, events, reset in body
                    silent, events, no event in time
                    silent, events for=1h, no event in time
                    mute, events, read timeout
                    refused, events, http 503
                    future, events sentAt=/at:ms, event from the future
                    untimed, events sentAt=/at:ms, event without its time
                    """)
    void causesSayWhatBecameOfAStream(String what, String stream, String cause) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            switch (what) {
                case "early" -> peer.write(HEAD + event("1") + event("2") + END);
                case "type" -> peer.write(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + "Content-Length: 2\r\n\r\n{}");
                case "empty" -> peer.write(HEAD + END);
                case "reset" -> peer.write(HEAD + event("1"));
                case "silent" -> peer.write(HEAD + event("1") + chunk(": ping\n\n"));
                case "refused" -> peer.write(
                        "HTTP/1.1 503 No\r\nContent-Length: 0\r\n" + "Content-Type: text/event-stream\r\n\r\n");
                case "future" -> peer.write(
                        HEAD + event("{\"at\":" + Instant.now().plusSeconds(60).toEpochMilli() + "}") + END);
                case "untimed" -> peer.write(HEAD + event("{\"at\":\"now\"}") + END);
                default -> {
                    // It says nothing.
                }
            }
            if (!what.equals("reset")) {
                peer.awaitHangUp();
            }
        };
        Duration timeout = what.matches("silent|mute") ? Duration.ofMillis(100) : LONG;
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, stream, 1, timeout);

            assertThat(tally.causes()).containsOnlyKeys(cause);
            assertThat(tally.counters().censored()).isEqualTo(timeout == LONG ? 0 : 1);
        }
    }

    @Test
    void deliveryIsTimedByTheClockOfBoth() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD);
            Instant sent = Instant.now();
            peer.pause(Duration.ofMillis(30));
            peer.write(event("{\"at\":\"" + sent + "\"}") + END);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events sentAt=/at", 1);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.count(StreamTimings.EVENT_DELIVERY)).isOne();
            assertThat(millis(tally, StreamTimings.EVENT_DELIVERY)).isBetween(29L, LONG.toMillis());
        }
    }

    /** By its end or a reset, with what the server says of the time, and of the last event. */
    @Test
    void aStreamIsAskedForAgain() throws Exception {
        Script first = peer -> {
            peer.readRequest();
            peer.write(HEAD + chunk("retry: 40\n\n") + numbered(1) + numbered(2) + END);
            peer.readRequest();
            peer.write(HEAD + numbered(2) + numbered(3));
        };
        Script second = peer -> {
            peer.readRequest();
            peer.write(HEAD + numbered(4) + numbered(5));
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(first, second)) {
            Tally tally = run(server, "events count=5 reconnect", 1);

            assertThat(tally.causes()).isEmpty();
            assertThat(tally.requests()).isOne();
            assertThat(tally.count(StreamTimings.FIRST_EVENT)).isOne();
            assertThat(tally.count(StreamTimings.EVENT_GAP)).isEqualTo(4);
            assertThat(tally.count(StreamTimings.EVENT_REPEATED)).isOne();
            assertThat(tally.count(StreamTimings.EVENT_RECONNECT)).isEqualTo(2);
            assertThat(millis(tally, StreamTimings.EVENT_RECONNECT)).isGreaterThanOrEqualTo(39);
            assertThat(tally.counters().resent()).isEqualTo(2);
            assertThat(server.requests().stream().map(EventStreamsTest::lastEventId))
                    .containsExactly("", "2", "3");
        }
    }

    @Test
    void eventsThatAReconnectLostAreAFailure() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write(HEAD + chunk("retry: 1\n\n") + numbered(1) + numbered(2));
        };
        Script second = peer -> {
            peer.readRequest();
            peer.write(HEAD + numbered(6) + numbered(7));
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(script, second)) {
            Tally tally = run(server, "events count=4 reconnect", 1);

            assertThat(tally.causes()).isEqualTo(Map.of("events lost", new Tally.Failures(1, "3 by their ids")));
        }
    }

    /** Silence counts over connections. */
    @Test
    void aServerThatEndsEachStreamWithoutEventsFails() throws Exception {
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(HEAD + chunk("retry: 200\n\n") + END);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally tally = run(server, "events count=4 reconnect", 1, Duration.ofMillis(400));

            assertThat(tally.causes()).containsOnlyKeys("no event in time");
            assertThat(tally.counters().resent()).isPositive();
            assertThat(millis(tally, Timing.RESPONSE)).isBetween(398L, 402L);
        }
    }
}
