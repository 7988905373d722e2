package io.phaseload.websocket.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Expectation.BytesAre;
import io.phaseload.plan.journey.Expectation.JsonHas;
import io.phaseload.plan.journey.Expectation.Matcher;
import io.phaseload.plan.journey.Expectation.TextContains;
import io.phaseload.plan.journey.Expectation.TextIs;
import io.phaseload.plan.journey.Expectation.TextMatches;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.timing.MessageTimings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journeys over HTTP and WebSocket, on both engines. */
@Timeout(60)
class SocketStepsTest {

    private static TargetServer server;
    private MessageCounts before;

    @BeforeAll
    static void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder().port(0).build());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void clientAndServerCountTheSame(String engine) throws Exception {
        Journey chat = Journey.named("chat")
                .step(Step.get("/").extract("word", "regex:(.*)"))
                .step(Step.connect("/rooms/{word}?mode=echo", "v1.chat").header("X-Word", "{word}"))
                .step(Step.send("{\"say\":\"{word}\",\"user\":{user},\"n\":[{iteration}]}"))
                .step(expect(new JsonHas(Map.of("/say", "{word}", "/n/0", "{iteration}")))
                        .extract("who", "json:/user"))
                .step(new Step.Repeat(2, List.of(Step.send("I am {who}"), expect(new TextIs("I am {user}")))))
                .step(Step.socket(new SocketAction.SendBytes("00ff")))
                .step(expect(new BytesAre("00ff")))
                .step(Step.socket(new SocketAction.Ping(Duration.ofSeconds(5))))
                .step(Step.socket(new SocketAction.Close(1000)));
        Result result = run(plan(engine, chat).threads(3).phases(peak(5)));
        assertThat(result.totals().failures()).isEmpty();
        assertThat(result.totals().requests()).isEqualTo(15 * 12);
        assertThat(requests(result))
                .isEqualTo(Map.of(
                        "GET /", 15L,
                        "connect /rooms/{word}?mode=echo", 15L,
                        "send", 15L,
                        "expect", 15L,
                        "send #2", 30L,
                        "expect #2", 30L,
                        "send #3", 15L,
                        "expect #3", 15L,
                        "ping", 15L,
                        "close", 15L));
        assertThat(result.totals().statuses()).isEqualTo(Map.of(200, 15L, 101, 15L));
        assertThat(result.totals().time(MessageTimings.ROUND_TRIP).samples()).isEqualTo(60);
        assertThat(figures(result, "expect #2").time(MessageTimings.ROUND_TRIP).samples())
                .isEqualTo(30);
        MessageCounts counts = settled();
        assertThat(counts.opened() - before.opened()).isEqualTo(15);
        assertThat(counts.received() - before.received()).isEqualTo(60);
        assertThat(counts.delivered() - before.delivered()).isEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void whatArrivesEarlyIsKeptAndWhatDoesNotFitIsPassedOver(String engine) throws Exception {
        Journey journey = Journey.named("early")
                .step(Step.connect("/rooms/early-{user}?mode=echo"))
                .step(Step.send("one 1"))
                .step(Step.send("two 2"))
                // Both messages have come by then.
                .step(Step.socket(new SocketAction.Ping(Duration.ofSeconds(5))))
                .step(expect(new TextMatches("tw[o] \\d")).extract("n", "regex:\\d"))
                .step(Step.send("three {n}"))
                .step(expect(new TextContains("ee 2")));
        Result result = run(plan(engine, journey).threads(2).phases(peak(2)));
        assertThat(result.totals().failures()).isEmpty();
        assertThat(result.totals().time(MessageTimings.ROUND_TRIP).samples()).isEqualTo(8);
        // No step closes connections: the iteration's end does.
        assertThat(settled().opened() - before.opened()).isEqualTo(4);
    }

    /** The room sends back what it gets, so the user's own message is the server's ping. */
    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void theServersPingsAreAnsweredWhileAUserDoesSomethingElse(String engine) throws Exception {
        Journey journey = Journey.named("answers")
                .step(Step.connect("/rooms/answers-{user}?mode=echo")
                        .answer(new TextIs("ping"), new SocketAction.SendText("pong {user}"))
                        .answer(new BytesAre("01"), new SocketAction.SendBytes("02{hex:{user}}")))
                .step(Step.send("ping"))
                .step(Step.get("/"))
                .step(expect(new TextIs("pong {user}")))
                .step(Step.socket(new SocketAction.SendBytes("01")))
                .step(expect(new BytesAre("02{hex:{user}}")))
                .step(Step.send("ping"))
                .step(go(Step.expect(within(new TextIs("ping"), 300))));
        Result result = run(plan(engine, journey).threads(2).phases(peak(2)));
        assertThat(result.totals().failures()).isEqualTo(Map.of("expected message not received within 300ms", 4L));
        assertThat(result.totals().failureDetails().values())
                .allSatisfy(detail -> assertThat(detail).startsWith("the last message was pong "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void theTimeSinceAMomentInAMessageIsMeasured(String engine) throws Exception {
        Journey journey = Journey.named("age")
                .step(Step.connect("/rooms/age-{user}?mode=echo"))
                .step(Step.send("S{now:us} x"))
                .step(expect(new TextMatches("S\\d+ "))
                        .extract("sent", "regex:S(\\d+)")
                        .metrics(Metric.parse("delivery={now}-{sent}:us")))
                .step(Step.send("{\"n\":{user},\"at\":\"{now}\"}"))
                .step(go(expect(new JsonHas(Map.of("/n", "{user}")))
                        .extract("at", "json:/at")
                        .metrics(Metric.parse("n=/n"), Metric.parse("old={now}-{at}:ms"))))
                .step(Step.send("x"))
                .step(go(expect(new TextIs("x")).metrics(Metric.parse("n=/n"))));
        Result result = run(plan(engine, journey).threads(2).phases(peak(3)));
        assertThat(result.totals().failures()).isEqualTo(Map.of("check metric n=/n", 6L));
        assertThat(result.totals().metrics())
                .extracting(Figures.Metered::name, Figures.Metered::count)
                .containsExactlyInAnyOrder(tuple("delivery", 6L), tuple("n", 6L), tuple("old", 6L));
        assertThat(result.totals().metrics())
                .filteredOn(metric -> !metric.name().equals("n"))
                .allSatisfy(metric -> assertThat(metric.min()).isBetween(0.0, 60e6));
        assertThat(result.totals().time(MessageTimings.MESSAGE_DELIVERY).samples())
                .isEqualTo(12);
    }

    @Test
    void aValueThatIsNoDigitsIsNotSent() throws Exception {
        Journey journey = Journey.named("digits")
                .step(Step.connect("/rooms/digits?mode=echo"))
                .step(Step.get("/").extract("word", "regex:(.*)"))
                .step(Step.socket(new SocketAction.SendBytes("00{word}")));
        Result result = run(plan("events", journey).threads(1).phases(peak(1)));
        assertThat(result.phases().get(0).notSent())
                .isEqualTo(Map.of("a value can't be in a path, a header or bytes", 1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void failuresHaveTheirCauses(String engine) throws Exception {
        Journey journey = Journey.named("failures")
                .step(go(Step.send("x").named("early")))
                .step(go(Step.connect("/nowhere")))
                .step(Step.connect("/rooms/f-{user}?mode=echo&after=2&close=4001"))
                .step(Step.send("hello"))
                .step(go(Step.expect(within(new TextIs("other"), 300))))
                .step(Step.send("hello"))
                .step(expect(Expectation.ANYTHING.message()))
                .step(go(expect(new TextIs("more"))))
                .step(go(Step.socket(new SocketAction.Close(1000))))
                .step(Step.connect("/rooms/g-{user}?mode=echo&after=1&stall=300"))
                .step(Step.send("hello"))
                .step(go(Step.socket(new SocketAction.Ping(Duration.ofMillis(50)))))
                .step(expect(new TextIs("hello")))
                .step(Step.send("hello"))
                .step(go(expect(new TextIs("hello")).extract("n", "json:/n")));
        Result result = run(plan(engine, journey).threads(1).phases(peak(2)));
        assertThat(result.totals().failures())
                .isEqualTo(Map.of(
                        "not connected", 2L,
                        "http 404", 2L,
                        "expected message not received within 300ms", 2L,
                        "closed 4001", 4L,
                        "no pong within 50ms", 2L,
                        "no n in expect #5", 2L));
        assertThat(result.totals().failureDetails())
                .containsEntry("expected message not received within 300ms", "the last message was hello");
        assertThat(result.totals().censored()).isEqualTo(4);
        assertThat(failedSteps(result))
                .containsEntry("expect: expected message not received within 300ms", "the last message was hello")
                .containsKeys(
                        "early: not connected",
                        "connect /nowhere: http 404",
                        "expect #3: closed 4001",
                        "ping: no pong within 50ms");
        Figures late = figures(result, "expect");
        assertThat(late.response().min().value().orElseThrow())
                .isBetween(Duration.ofMillis(299), Duration.ofSeconds(5));
    }

    /** Why single steps failed, by step and cause. */
    private static Map<String, String> failedSteps(Result result) {
        return result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .flatMap(operation -> operation.failedRequests().stream())
                .collect(Collectors.toMap(
                        kept -> kept.request() + ": " + kept.cause().orElseThrow(),
                        kept -> kept.message().orElse(""),
                        (one, other) -> one));
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "threads"})
    void cookiesOfTheSessionGoWithTheHandshake(String engine) throws Exception {
        try (HandshakeServer asked = new HandshakeServer()) {
            Journey journey = Journey.named("cookies")
                    .session(new SessionRules(true, 0, false, false, Optional.empty()))
                    .step(Step.get("/login"))
                    .step(Step.connect("/chat?a=b", "v2", "v1").header("X-Key", "{user}"))
                    .step(expect(new TextIs("welcome")))
                    .step(Step.get("/after"));
            Result result = run(Plan.builder(asked.url())
                    .scenario(Scenario.of(Journeys.of(journey)))
                    .threads(1)
                    .phases(peak(1))
                    .engine(EngineSettings.of(engine)));
            assertThat(result.totals().failures()).isEmpty();
            assertThat(asked.head())
                    .startsWith("GET /chat?a=b HTTP/1.1\r\n")
                    .containsIgnoringCase("\r\nCookie: id=42\r\n")
                    .containsIgnoringCase("\r\nX-Key: 0\r\n")
                    .containsIgnoringCase("\r\nSec-WebSocket-Protocol: v2,v1\r\n")
                    .containsIgnoringCase("\r\nHost: 127.0.0.1:" + asked.url().getPort() + "\r\n");
            assertThat(asked.last()).startsWith("GET /after ").containsIgnoringCase("\r\nCookie: id=42; room=7\r\n");
        }
    }

    @Test
    void http2HasNone() {
        Journey journey = Journey.named("j").step(Step.connect("/rooms/a"));
        EngineSettings http2 =
                EngineSettings.builder("events").protocol(new Protocol.Http2(1)).build();
        assertThatThrownBy(() -> run(plan("events", journey).engine(http2)))
                .hasMessage("HTTP/2 cannot be combined with a step connect");
    }

    private static Step.Socket expect(Matcher matcher) {
        return Step.expect(within(matcher, 5_000));
    }

    private static Expectation within(Matcher matcher, long millis) {
        return new Expectation(matcher, Optional.of(Duration.ofMillis(millis)));
    }

    private static Step.Socket go(Step.Socket step) {
        return step.onFailure(Step.OnFailure.CONTINUE);
    }

    private static PlanBuilder plan(String engine, Journey journey) {
        return Plan.builder(server.url())
                .scenario(Scenario.of(Journeys.of(journey)))
                .engine(EngineSettings.of(engine));
    }

    private static Phase peak(int iterations) {
        return new Phase("peak", 1, new PhaseLength.Iterations(iterations), Load.Closed.AT_ONCE);
    }

    private Result run(PlanBuilder plan) throws InterruptedException {
        before = settled();
        // Its end stops the run, which is over.
        try (ThreadsLoadClient client = ThreadsLoadClient.of(plan.build())) {
            return client.run();
        }
    }

    private static Map<String, Long> requests(Result result) {
        return result.phases().get(0).operations().stream()
                .collect(Collectors.toMap(of -> of.name(), of -> of.figures().requests()));
    }

    private static Figures figures(Result result, String operation) {
        return result.phases().get(0).operations().stream()
                .filter(of -> of.name().equals(operation))
                .findFirst()
                .orElseThrow()
                .figures();
    }

    /** The server's counts, once all clients have gone. */
    private static MessageCounts settled() throws InterruptedException {
        while (server.messages().connections() > 0 || server.messages().waiting() > 0) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return server.messages();
    }
}
