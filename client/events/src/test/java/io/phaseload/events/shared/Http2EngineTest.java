package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.AllocationMeter;
import io.phaseload.engine.ClientThreads;
import io.phaseload.engine.Engine;
import io.phaseload.engine.Engines;
import io.phaseload.engine.Measurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.KeptDetails;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs over HTTP/2: what is counted, and on which connections. */
@Timeout(60)
class Http2EngineTest {

    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    private static PlanBuilder plan(Http2Server server, int threads, int streams) {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(threads)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(10)))
                .engine(http2(2, streams).build());
    }

    private static EngineSettings.Builder http2(int loops, int streams) {
        return EngineSettings.builder("events").loops(loops).protocol(new Protocol.Http2(streams));
    }

    /** Each loop has its share of the users, and a connection for each ten of them. */
    @Test
    void usersShareConnections() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer)) {
            Result result = ThreadsLoadClient.of(plan(server, 50, 10).build()).run();

            assertThat(result.totals().succeeded()).isEqualTo(server.requests()).isEqualTo(1_000);
            assertThat(server.connections()).isEqualTo(6);
            assertThat(result.totals().connectionSetUp().samples()).isEqualTo(6);
            assertThat(result.engine().streams()).hasValue(10);
            assertThat(result.engine().loops()).hasValue(2);
        }
    }

    /** Values of headers come from a table that a connection's responses share. */
    @Test
    void aJourneyTakesValuesOfHeaders() {
        List<String> paths = new CopyOnWriteArrayList<>();
        try (Http2Server server = new Http2Server(request -> {
            String path = request.header(":path");
            paths.add(path);
            request.answer(200, 2, "set-cookie", "sid=" + path.length() + "; Path=/", "x-item", "abc");
        })) {
            Journey journey = Journey.named("j")
                    .step(Step.get("/login").extract("sid", "cookie:sid").extract("item", "header:X-Item"))
                    .step(Step.post("/{sid}/{item}", Body.ofText("{item}")));
            Plan plan = plan(server, 4, 2)
                    .scenario(Scenario.of(Journeys.of(journey)))
                    .build();
            Result result = ThreadsLoadClient.of(plan).run();

            assertThat(result.totals().failed()).isZero();
            assertThat(result.totals().succeeded()).isEqualTo(80);
            assertThat(paths).hasSize(80).containsOnly("/login", "/6/abc");
        }
    }

    /** Of a refused body nothing is sent: the server would fail on a part of it. */
    @Test
    void bodiesWaitUntilTheyAreWanted() {
        List<Long> bodies = new CopyOnWriteArrayList<>();
        try (Http2Server server = new Http2Server(request -> {
            bodies.add(request.bodyBytes());
            request.answer();
        })) {
            Body body = Body.ofText("x".repeat(100_000));
            Plan plan = plan(server, 2, 2)
                    .header(new Header("Expect", "100-continue"))
                    .operations(Operation.post("/", body), Operation.post("/refused", body))
                    .build();
            Result result = ThreadsLoadClient.of(plan).run();

            assertThat(result.totals().succeeded()).isEqualTo(20);
            assertThat(result.totals().failures()).containsOnlyKeys("http 413");
            assertThat(bodies).hasSize(20).containsOnly(100_000L);
            assertThat(server.connections()).isLessThanOrEqualTo(2);
        }
    }

    /** Also where only the headers of responses are kept, of which each request has its own. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 100})
    void tracesAreSentAndHeadersOfResponsesKept(double percent) {
        Set<String> sent = ConcurrentHashMap.newKeySet();
        try (Http2Server server = new Http2Server(request -> {
            String parent = String.valueOf(request.header("traceparent"));
            sent.add(parent);
            request.answer(200, 2, "x-request-id", "r-" + parent);
        })) {
            KeptDetails details = new KeptDetails(percent, Optional.empty(), List.of("X-Request-Id"));
            Result result = ThreadsLoadClient.of(
                            plan(server, 4, 4).details(details).build())
                    .run();

            assertThat(sent).hasSize(percent == 0 ? 1 : 80);
            assertThat(result.phases().get(0).operations())
                    .allSatisfy(operation -> assertThat(operation.slowestRequests())
                            .isNotEmpty()
                            .allSatisfy(request -> assertThat(request.headers())
                                    .isEqualTo(Map.of(
                                            "X-Request-Id",
                                            "r-"
                                                    + request.trace()
                                                            .map(TraceContext::header)
                                                            .orElse("null")))));
        }
    }

    @Test
    void withOneStreamEachUserHasAConnection() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer)) {
            Result result = ThreadsLoadClient.of(plan(server, 5, 1).build()).run();

            assertThat(result.totals().succeeded()).isEqualTo(100);
            assertThat(server.connections()).isEqualTo(5);
            assertThat(result.engine().streams()).hasValue(1);
        }
    }

    /** The server works on one at a time, so that a request's wait for its stream is its slip. */
    @Test
    void waitingForAStreamIsSlip() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(1);
        try (Http2Server server = new Http2Server(settings, true, Http2Server.Request::answer)) {
            Plan plan = plan(server, 8, 8).engine(http2(1, 8).build()).build();
            Result result = ThreadsLoadClient.of(plan).run();

            assertThat(result.totals().succeeded()).isEqualTo(160);
            assertThat(server.mostAtOnce()).isEqualTo(1);
            assertThat(result.totals().slip().mean().value().orElseThrow())
                    .isGreaterThan(result.totals().service().mean().value().orElseThrow());
        }
    }

    /** Every tenth request of a server that says goodbye, and leaves those that came after it. */
    @Test
    void countsAgreeWithAServerThatKeepsSendingGoaway() {
        List<Integer> answered = new ArrayList<>();
        try (Http2Server server = new Http2Server(request -> {
            answered.add(request.number());
            request.answer();
            if (answered.size() % 10 == 0) {
                request.goAway(request.stream(), Http2Error.NO_ERROR);
            }
        })) {
            Result result = ThreadsLoadClient.of(plan(server, 8, 4).build()).run();

            assertThat(result.totals().failures()).isEmpty();
            assertThat(result.totals().succeeded()).isEqualTo(160).isEqualTo(answered.size());
            assertThat(server.connections()).isGreaterThan(10);
        }
    }

    /** A turn is a connection's, and so that of all who share it. */
    @Test
    void connectRateLimitsConnections() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer)) {
            EngineSettings slow = http2(2, 3).connectRate(Rate.parse("1/h")).build();
            PhaseLength length = new PhaseLength.Lasting(Duration.ofMillis(300));
            Plan plan = plan(server, 12, 3)
                    .engine(slow)
                    .phases(new Phase("peak", 1, length))
                    .build();
            Result result = ThreadsLoadClient.of(plan).run();

            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.mostAtOnce()).isLessThanOrEqualTo(3);
            assertThat(result.totals().failures()).isEmpty();
            assertThat(result.totals().succeeded()).isEqualTo(server.requests()).isPositive();
        }
    }

    /** Also of those who wait for a stream; what they wanted to send is sent and answered. */
    @Test
    void aStopAtAnyMomentLosesNoRequest() {
        AtomicReference<Engine> engine = new AtomicReference<>();
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        try (Http2Server server = new Http2Server(settings, true, request -> {
            if (request.number() == 55) {
                engine.get().stop();
            }
            request.answer();
        })) {
            engine.set(Engines.create(plan(server, 10, 5).build(), RunListener.NONE));
            Measurement measured = engine.get().run();

            Tally sent = Tallies.sum(measured.phases().get(0).operations());
            assertThat(measured.interrupted()).isTrue();
            assertThat(sent.succeeded()).isEqualTo(sent.requests()).isEqualTo(server.requests());
            assertThat(server.requests()).isBetween(55, 199);
        }
    }

    @Test
    void aRequestAllocatesLittle() {
        AllocationMeter meter = new AllocationMeter(http2(2, 8).build());
        assumeThat(meter.supported()).as("this JVM tells what threads allocate").isTrue();
        try (Http2Server server = new Http2Server(request -> {
            request.answer();
            meter.look(request.number());
        })) {
            PhaseLength length = new PhaseLength.Lasting(Duration.ofSeconds(50));
            Plan plan = plan(server, 16, 8)
                    .operations(Operation.get("/"))
                    .phases(new Phase("steady", 1, length))
                    .build();
            meter.run(Engines.create(plan, meter.listener()));
        }
        System.out.println("HTTP/2: " + meter);
        assertThat(meter.isKept()).as(meter.toString()).isTrue();
    }

    @Test
    void anOpenModelUsesStreamsToo() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer)) {
            Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(2_000)), Load.Overload.QUEUE);
            Phase phase = new Phase("peak", 1, new PhaseLength.Iterations(20), load);
            Result result = ThreadsLoadClient.of(
                            plan(server, 10, 5).phases(phase).build())
                    .run();

            assertThat(result.totals().succeeded()).isEqualTo(server.requests());
            assertThat(result.totals().failures()).isEmpty();
            assertThat(server.connections()).isLessThanOrEqualTo(2);
        }
    }
}
