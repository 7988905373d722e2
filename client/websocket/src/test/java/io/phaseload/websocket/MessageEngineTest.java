package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.engine.Engines;
import io.phaseload.measure.KeptRequest;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(60)
class MessageEngineTest {

    private TargetServer server;

    @BeforeEach
    void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder().port(0).build());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void clientAndServerCountTheSame() throws Exception {
        Result result = run(plan("", 1, constant(500), 1).threads(10));
        MessageCounts counts = settled();
        Figures totals = result.totals();
        // What a busy machine couldn't send in time is told of, too.
        long sent = 500 - notSent(result);
        assertThat(totals.requests()).isEqualTo(sent);
        assertThat(totals.succeeded()).isEqualTo(sent);
        assertThat(counts.received()).isEqualTo(sent);
        assertThat(counts.delivered()).isEqualTo(sent);
        assertThat(counts.opened()).isEqualTo(20);
        Figures messages = totals;
        assertThat(messages.time(MessageTimings.DELIVERY).samples()).isEqualTo(sent);
        assertThat(messages.time(MessageTimings.HANDSHAKE).samples()).isEqualTo(20);
        assertThat(totals.time(Timing.TCP).samples()).isEqualTo(20);
        assertThat(messages.time(MessageTimings.DUPLICATED).samples()).isZero();
        assertThat(messages.time(MessageTimings.REORDERED).samples()).isZero();
        assertThat(messages.time(MessageTimings.LATE).samples()).isZero();
        // With one receiver, a message's response is its delivery; only of responses the longest is exact.
        assertThat(totals.response())
                .usingRecursiveComparison()
                .ignoringFields("max")
                .isEqualTo(messages.time(MessageTimings.DELIVERY));
        assertThat(result.engine().name()).isEqualTo("websocket");
    }

    private static long notSent(Result result) {
        return result.phases().stream()
                .flatMap(phase -> phase.notSent().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void eachSubscriberGetsEachMessageAndASenderWithoutAnyGetsItBack() throws Exception {
        Result fan = run(plan("", 3, poisson(200), 1).threads(4));
        Figures messages = fan.totals();
        assertThat(fan.totals().succeeded()).isEqualTo(fan.totals().requests()).isPositive();
        assertThat(messages.time(MessageTimings.DELIVERY).samples())
                .isEqualTo(3 * fan.totals().requests());
        assertThat(messages.time(MessageTimings.HANDSHAKE).samples()).isEqualTo(16);
        long delivered = settled().delivered();
        assertThat(delivered).isEqualTo(messages.time(MessageTimings.DELIVERY).samples());

        Result echo = run(plan("?mode=echo", 0, constant(100), 1).threads(2));
        assertThat(echo.totals().succeeded()).isEqualTo(100);
        assertThat(echo.totals().time(MessageTimings.HANDSHAKE).samples()).isEqualTo(2);
    }

    @Test
    void lossesCopiesAndDisorderAreCountedAsTheServerMadeThem() throws Exception {
        Result result = run(plan("?lose=10&repeat=4&swap=7", 1, constant(280), 1)
                .threads(2)
                .responseTimeout(Duration.ofMillis(500)));
        // Of 140 each: 14 lost, of which 2 are also a seventh; 20 − 2 swapped; 35 repeated, of
        // which 7 are lost and 5 are swapped, less the one that is both.
        MessageCounts counts = settled();
        Figures totals = result.totals();
        Figures messages = totals;
        assertThat(totals.requests()).isEqualTo(280);
        assertThat(totals.failures()).isEqualTo(Map.of("lost: not received in time", 28L));
        assertThat(totals.censored()).isEqualTo(28);
        assertThat(counts.lost()).isEqualTo(28);
        assertThat(totals.succeeded()).isEqualTo(280 - 28);
        assertThat(messages.time(MessageTimings.DUPLICATED).samples())
                .isEqualTo(counts.repeated())
                .isPositive();
        assertThat(messages.time(MessageTimings.DELIVERY).samples()
                        + messages.time(MessageTimings.DUPLICATED).samples())
                .isEqualTo(counts.delivered());
        assertThat(operation(result).failedRequests())
                .hasSize(3)
                .allMatch(kept -> kept.cause().orElseThrow().equals("lost: not received in time"))
                // Each pair's tenth message is lost: they count from 0.
                .extracting(KeptRequest::request)
                .containsExactlyInAnyOrder("message 9 of pair 0", "message 9 of pair 1", "message 19 of pair 0");
        // A swapped message is behind the next one, unless that is lost.
        assertThat(messages.time(MessageTimings.REORDERED).samples())
                .isPositive()
                .isLessThanOrEqualTo(36);
        assertThat(messages.time(MessageTimings.LATE).samples()).isZero();
    }

    @Test
    void whatComesAfterTheLimitIsLostAndLate() {
        Result result = run(plan("?delay=700", 1, constant(50), 2).threads(1).responseTimeout(Duration.ofMillis(300)));
        Figures totals = result.totals();
        assertThat(totals.failures()).isEqualTo(Map.of("lost: not received in time", 100L));
        // The last ones arrive when the phase is over.
        assertThat(totals.time(MessageTimings.LATE).samples()).isBetween(50L, 90L);
        assertThat(totals.time(MessageTimings.LATE).min().value().orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofMillis(699));
    }

    @Test
    void aStallOfTheServerShowsInDeliveryLatencyAsArithmeticSays() {
        // One message each 10 ms for 4 s; from the 100th on, the server doesn't read for 2 s.
        Result result = run(plan("?stall=2000&after=100", 1, constant(100), 4).threads(1));
        Figures messages = result.totals();
        assertThat(result.totals().succeeded()).isEqualTo(400);
        // 200 messages wait, from 2 s to nothing: their sum is 200 × 1 s, and the mean of all 500
        // ms.
        assertThat(messages.time(MessageTimings.DELIVERY).max().value().orElseThrow())
                .isBetween(Duration.ofMillis(1990), seconds(2.6));
        assertThat(messages.time(MessageTimings.DELIVERY).mean().value().orElseThrow())
                .isBetween(seconds(0.49), seconds(0.75));
        // Of 400, the half that doesn't wait is fast; p75 is about 1 s.
        assertThat(messages.time(MessageTimings.DELIVERY).p75().value().orElseThrow())
                .isBetween(seconds(0.97), seconds(1.4));
        // The 100th, which was due after 990 ms, was the first to wait. The next ones wait 10 ms less each, and may be
        // read later.
        List<KeptRequest> slowest = operation(result).slowestRequests();
        assertThat(slowest).hasSize(10);
        assertThat(slowest).allMatch(kept -> kept.user() == 0 && kept.cause().isEmpty());
        KeptRequest first = slowest.get(0);
        assertThat(first.request()).isIn("message 99 of pair 0", "message 100 of pair 0", "message 101 of pair 0");
        assertThat(Duration.between(result.phases().get(0).startedAt().orElseThrow(), first.at()))
                .isBetween(Duration.ofMillis(985), Duration.ofMillis(1015));
        assertThat(first.times().responseMs()).isGreaterThanOrEqualTo(1_990);
        assertThat(first.times().slipMs()).isLessThan(first.times().responseMs());
        // The client sent all of them on time.
        assertThat(result.totals().slip().p50().value().orElseThrow()).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void messagesThatWaitForEachOtherAreDiagnosed() {
        // Both senders aren't read from their thirtieth message on for 1.2 s.
        Result result = run(plan("?stall=1200&after=30", 1, constant(40), 4).threads(2));

        assumeFalse(result.verdict().blamesClient(), "nothing is concluded on a machine that is busy");
        assertThat(result.diagnoses()).extracting(Diagnosis::id).containsAnyOf("standstill", "outage", "slow-period");
    }

    @Test
    void closesOfTheServerAreCausesAndConnectionsAreOpenedAgain() throws Exception {
        // Each sender is closed with 4001 after 20 messages.
        Result result = run(plan("?close=4001&after=20", 1, constant(100), 4).threads(1));
        Figures totals = result.totals();
        assertThat(totals.requests()).isEqualTo(400);
        assertThat(totals.succeeded() + sum(totals.failures())).isEqualTo(400);
        assertThat(totals.failures().keySet()).isSubsetOf("lost: sender closed 4001", "lost: sender closed 1006");
        MessageCounts counts = settled();
        assertThat(counts.delivered()).isEqualTo(totals.succeeded());
        assertThat(counts.opened())
                .isEqualTo(totals.time(MessageTimings.HANDSHAKE).samples())
                .isGreaterThan(4);
    }

    @Test
    void countsAddUpWhenConnectionsAreReset() throws Exception {
        try (ResettingProxy proxy = new ResettingProxy(server.url().getPort(), 2_000)) {
            URI url = URI.create("ws://127.0.0.1:" + proxy.port() + "/rooms/%7Bpair%7D");
            Result result = run(plan(url, 1, constant(400), 3).threads(4).responseTimeout(Duration.ofSeconds(1)));
            Figures totals = result.totals();
            assertThat(proxy.resets()).isPositive();
            // A busy machine may be late for the last ones.
            long notSent = sum(result.phases().get(0).notSent());
            assertThat(totals.requests() + notSent).isEqualTo(1_200);
            assertThat(totals.succeeded() + sum(totals.failures())).isEqualTo(totals.requests());
            assertThat(totals.succeeded()).isPositive();
            assertThat(totals.failures().keySet())
                    .isNotEmpty()
                    .allMatch(cause -> cause.matches("lost: (sender|receiver) closed 1006|lost: not received"
                            + " in time|reset before response"));
            MessageCounts counts = settled();
            // What the server delivered may be lost on its way; what it didn't get can't arrive.
            assertThat(totals.succeeded()).isLessThanOrEqualTo(counts.delivered());
            assertThat(counts.received()).isLessThanOrEqualTo(1_200);
        }
    }

    @Test
    void virtualThreadsAreRefused() {
        Plan plan = plan("", 1, constant(1), 1).virtualThreads(true).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(plan, RunListener.NONE))
                .withMessage("virtual threads cannot be combined with engine websocket");
    }

    @Test
    void whoeverCannotConnectSaysWhy() throws Exception {
        Result missing = run(plan(url("nowhere/%7Bpair%7D"), 1, constant(20), 1).threads(2));
        assertThat(missing.totals().failures()).isEqualTo(Map.of("http 404", 20L));
        int closed;
        try (ServerSocket free = new ServerSocket(0)) {
            closed = free.getLocalPort();
        }
        URI nobody = URI.create("ws://127.0.0.1:" + closed + "/%7Bpair%7D");
        Result refused = run(plan(nobody, 1, constant(20), 1).threads(2));
        assertThat(refused.totals().failures()).isEqualTo(Map.of("connect refused", 20L));
        assertThat(operation(refused).failedRequests())
                .extracting(KeptRequest::request)
                .hasSize(3)
                .allMatch(request -> request.matches("message of pair [01]"));
        try (ServerSocketChannel silent = ServerSocketChannel.open()) {
            silent.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = ((InetSocketAddress) silent.getLocalAddress()).getPort();
            URI mute = URI.create("ws://127.0.0.1:" + port + "/%7Bpair%7D");
            Result timeout = run(plan(mute, 1, constant(20), 1).threads(2).connectTimeout(Duration.ofMillis(300)));
            assertThat(timeout.totals().failures()).isEqualTo(Map.of("connect timeout", 20L));
        }
    }

    @Test
    void subprotocolsCompressionPingsAndHeadersAreTaken() {
        EngineSettings engine = EngineSettings.builder("websocket")
                .protocol(new Protocol.WebSocket(
                        1, 5_000, List.of("v2.chat", "v1.chat"), true, Optional.of(Duration.ofMillis(50))))
                .build();
        Result result = run(plan("", 1, constant(100), 1)
                .threads(3)
                .header(new Header("Cookie", "a=b"))
                .engine(engine));
        assertThat(result.totals().succeeded()).isEqualTo(100);
    }

    private Result run(PlanBuilder plan) {
        return ThreadsLoadClient.of(plan.build()).run();
    }

    private static PhaseResult.OperationResult operation(Result result) {
        return result.phases().get(0).operations().get(0);
    }

    private PlanBuilder plan(String query, int subscribers, Schedule schedule, int seconds) {
        return plan(url("rooms/%7Bpair%7D" + query), subscribers, schedule, seconds);
    }

    private URI url(String path) {
        return URI.create(server.url().toString().replace("http:", "ws:") + path);
    }

    private static PlanBuilder plan(URI url, int subscribers, Schedule schedule, int seconds) {
        return Plan.builder(url)
                .engine(EngineSettings.builder("websocket")
                        .protocol(new Protocol.WebSocket(subscribers, 200, List.of(), false, Optional.empty()))
                        .build())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Lasting(Duration.ofSeconds(seconds)),
                        new Load.Open(schedule, Load.Overload.QUEUE)));
    }

    private static Schedule constant(long perSecond) {
        return new ConstantArrivals(Rate.perSecond(perSecond));
    }

    private static Schedule poisson(long perSecond) {
        return new PoissonArrivals(Rate.perSecond(perSecond), 1);
    }

    private static Duration seconds(double count) {
        return Duration.ofNanos((long) (count * 1e9));
    }

    private static long sum(Map<String, Long> failures) {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The server's counts, once all clients have gone. */
    private MessageCounts settled() throws InterruptedException {
        while (server.messages().connections() > 0 || server.messages().waiting() > 0) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return server.messages();
    }
}
