package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Engine;
import io.phaseload.engine.Engines;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.http.TestCertificate;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three users who share a connection, without waiting for each other's responses. */
@Timeout(60)
class PipelineTest {

    private static final String NOT_FOUND = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    private static final String LAST = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration LONG = Duration.ofSeconds(40);

    private static final EngineSettings ONE_LOOP = EngineSettings.builder("events")
            .loops(1)
            .protocol(new Protocol.Http1(3))
            .build();

    @Test
    void usersShareAConnection() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            Tally all = run(server.uri(), 6, 50, LONG);

            assertThat(outcomes(all)).isEqualTo(Map.of("success", 300L));
            assertThat(server.requests()).hasSize(300);
            assertThat(server.connections()).isEqualTo(2);
            assertThat(all.histogram(Timing.SET_UP).getTotalCount()).isEqualTo(2);
        }
    }

    @Test
    void overTls(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost", folder);
        try (MisbehavingServer server = MisbehavingServer.startTls(certificate.server(), Script.BEHAVE)) {
            URI uri = URI.create("https://localhost:" + server.port() + "/");

            assertThat(outcomes(run(uri, 6, 50, LONG))).isEqualTo(Map.of("success", 300L));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** No answer comes before all three are asked; then they come in one piece. */
    @Test
    void requestsDontWaitAndResponsesKeepTheirOrder() throws Exception {
        assertThat(outcomes(Peer.OK + NOT_FOUND + Peer.OK, Peer::awaitHangUp))
                .isEqualTo(Map.of("success", 2L, "http 404", 1L));
    }

    @Test
    void aResetFailsEachRequestInFlightOnce() throws Exception {
        assertThat(outcomes(Peer.OK + "HTTP/1.1 200 OK\r\nConte", Peer::reset))
                .isIn(
                        Map.of("success", 1L, "reset in header", 1L, "reset before response", 1L),
                        // The reset may overtake what was sent before.
                        Map.of("reset before response", 3L));
    }

    @Test
    void anEndFailsEachRequestInFlightOnce() throws Exception {
        assertThat(outcomes(Peer.OK + "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", Peer::closeInOrder))
                .isEqualTo(Map.of("success", 1L, "reset in body", 1L, "reset before response", 1L));
    }

    /** Without TCP's figures nobody knows, unless the end comes later than a round trip. */
    @Test
    void anEndThatMayHaveCrossedWithRequestsIsUnknown() throws Exception {
        Script script = peer -> {
            readThree(peer);
            peer.write(Peer.OK + Peer.OK + Peer.OK);
            peer.readRequest();
            peer.endOutput();
            peer.awaitHangUp();
        };
        EngineSettings nio = EngineSettings.builder("events")
                .loops(1)
                .protocol(new Protocol.Http1(3))
                .transport("nio")
                .build();
        Set<String> causes = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            try (MisbehavingServer server = MisbehavingServer.start(script, Script.BEHAVE)) {
                Plan plan = plan(server.uri(), 3, 2, LONG).engine(nio).build();
                causes.addAll(run(plan).causes().keySet());
            }
        }
        assertThat(causes)
                .contains("connection ended, unknown if read")
                .isSubsetOf("connection ended, unknown if read", "reset before response");
    }

    /** A write takes the reset's error, and what is read then looks like an end in order. */
    @Test
    void aResetThatAWriteMeetsProvesNothing() throws Exception {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        CompletableFuture<Void> reset = new CompletableFuture<>();
        CompletableFuture<Void> read = new CompletableFuture<>();
        Script script = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            peer.readRequest();
            read.complete(null);
            waiting.join();
            peer.reset();
            reset.complete(null);
        };
        Operation get = Operation.get("/");
        try (MisbehavingServer server = MisbehavingServer.start(script, Script.BEHAVE);
                SharedClient client = SharedClient.pipelined(Target.of(server.uri()), 2)) {
            assertThat(client.exchange(get).outcome()).isEqualTo(Outcome.SUCCESS);
            client.beIdle();
            CompletableFuture<Exchange> lost = client.send(get, 0).get(0);
            read.join();
            Runnable untilReset = () -> {
                waiting.complete(null);
                reset.join();
            };
            client.send(get, untilReset, 1).get(0).join();

            assertThat(lost.join().outcome().responded()).isFalse();
            // All but the second of these two.
            assertThat(server.requests()).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void aMalformedResponseFailsThoseBehindItToo() throws Exception {
        assertThat(outcomes(Peer.OK + "HTTP/9 what\r\n\r\n", Peer::awaitHangUp))
                .isEqualTo(Map.of("success", 1L, "malformed response", 1L, "reset before response", 1L));
    }

    @Test
    void eachRequestTimesOutAndLaterOnesUseANewConnection() throws Exception {
        Script silent = peer -> {
            readThree(peer);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(silent, Script.BEHAVE)) {
            Tally all = run(server.uri(), 3, 2, Duration.ofMillis(500));

            assertThat(outcomes(all)).isEqualTo(Map.of("read timeout", 3L, "success", 3L));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** A server that announces a connection's end reads no more from it. */
    @Test
    void requestsBehindTheLastResponseAreSentAgain() throws Exception {
        Script last = peer -> {
            readThree(peer);
            peer.write(LAST);
            peer.closeInOrder();
        };
        try (MisbehavingServer server = MisbehavingServer.start(last, Script.BEHAVE)) {
            Tally all = run(server.uri(), 3, 1, LONG);

            assertThat(outcomes(all)).isEqualTo(Map.of("success", 3L));
            // One connection was reopened; two requests were sent twice, and this server read both.
            assertThat(all.counters().reconnects()).isEqualTo(1);
            assertThat(all.counters().resent()).isEqualTo(2);
            assertThat(server.requests()).hasSize(5);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** 60 requests over connections of 10: of those behind a last answer each was sent again. */
    @Test
    void connectionsThatAreReopenedAreCounted() throws Exception {
        Script ten = peer -> {
            for (int i = 1; i <= 10; i++) {
                peer.readRequest();
                peer.write(i < 10 ? Peer.OK : LAST);
            }
            peer.endOutput();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(ten)) {
            Tally all = run(server.uri(), 3, 20, LONG);

            assertThat(outcomes(all)).isEqualTo(Map.of("success", 60L));
            assertThat(server.requests())
                    .hasSizeBetween(60, 60 + (int) all.counters().resent());
            assertThat(server.connections()).isBetween(6, 7);
            assertThat(all.counters().reconnects()).isLessThan(server.connections());
        }
    }

    /** As PHP's own server does; it reads no more than the first request. */
    @Test
    void aServerThatClosesAfterOneResponseIsDetected() throws Exception {
        Script one = peer -> {
            peer.readRequest();
            peer.write(LAST);
            peer.endOutput();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(one)) {
            Tally all = run(server.uri(), 3, 20, LONG);

            assertThat(outcomes(all)).isEqualTo(Map.of("success", 58L, "no pipelining", 2L));
            assertThat(all.causes().get("no pipelining").detail())
                    .isEqualTo("the server closed connections that carried more than one request");
            assertThat(server.requests()).hasSize(58);
        }
    }

    /** As PHP's own server does today: to two requests in one packet it says nothing at all. */
    @Test
    void aServerThatClosesOnSeveralRequestsIsDetected() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        Script script = peer -> {
            peer.readRequest();
            if (connections.incrementAndGet() <= 3) {
                peer.readRequest();
                peer.readRequest();
            } else {
                peer.write(LAST);
            }
            peer.endOutput();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Tally all = run(server.uri(), 3, 20, LONG);

            assertThat(outcomes(all))
                    .isEqualTo(Map.of("success", 51L, "no pipelining", 2L, "reset before response", 7L));
        }
    }

    /** It loses what it got together with the first request; later ones it answers. */
    @Test
    void aServerThatAnswersOnlyTheFirstIsDetected() throws Exception {
        Script first = peer -> {
            readThree(peer);
            peer.write(Peer.OK);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(first, Script.BEHAVE)) {
            Tally all = run(server.uri(), 3, 5, Duration.ofMillis(500));

            // The first user's second request comes behind the other two.
            assertThat(outcomes(all)).containsKey("no pipelining").containsKey("success");
            assertThat(all.causes().get("no pipelining").detail())
                    .isEqualTo("the server left requests behind the first one unanswered");
            assertThat(all.succeeded()).isGreaterThanOrEqualTo(15 - 3);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** By the fourth connection requests go one by one; its first one is never answered. */
    @Test
    void nothingIsSentAfterAStopsTimeIsUp() throws Exception {
        AtomicReference<Engine> engine = new AtomicReference<>();
        Script one = peer -> {
            peer.readRequest();
            peer.write(LAST);
            peer.endOutput();
            peer.awaitHangUp();
        };
        Script silent = peer -> {
            peer.readRequest();
            engine.get().stop();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(one, one, one, silent)) {
            engine.set(Engines.create(plan(server.uri(), 3, 20, LONG).build(), RunListener.NONE));
            PhaseMeasurement phase = engine.get().run().phases().get(0);

            assertThat(outcomes(Tallies.sum(phase.operations())))
                    .isEqualTo(Map.of("success", 3L, "no pipelining", 2L, "client: stopped in flight", 1L));
            assertThat(phase.notSent()).isEqualTo(Map.of("interrupted", 54L));
            assertThat(server.requests()).hasSize(4);
        }
    }

    /** The second request finds the end of the stream, or what was said before it. */
    @Test
    void anIdleConnectionThatEndedIsReplaced() throws Exception {
        assertThat(secondOnIdle(Peer::closeInOrder)).isEqualTo("success, 1 reconnected");
    }

    @Test
    void unsolicitedDataAnswersNoRequest() throws Exception {
        assertThat(secondOnIdle(peer -> peer.write(Peer.OK))).isEqualTo("success, 1 reconnected");
    }

    private static String secondOnIdle(Script idle) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Script first = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            idle.play(peer);
            done.countDown();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(first, Script.BEHAVE)) {
            Plan plan = plan(server.uri(), 1, 2, LONG)
                    .phases(new Phase(
                            "peak",
                            1,
                            new PhaseLength.Iterations(2),
                            new Load.Closed(Pause.of(Duration.ofSeconds(1)), Pause.NONE, Duration.ZERO)))
                    .build();
            Tally all = run(plan);
            assertThat(done.getCount()).isZero();
            assertThat(all.requests()).isEqualTo(2);
            return all.causes().keySet().stream().findFirst().orElse("success")
                    + ", "
                    + all.counters().reconnects()
                    + " reconnected";
        }
    }

    /** Three requests, to which the first connection says something before it ends. */
    private static Map<String, Long> outcomes(String answers, Script end) throws Exception {
        Script script = peer -> {
            readThree(peer);
            peer.write(answers);
            end.play(peer);
        };
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            return outcomes(run(server.uri(), 3, 1, LONG));
        }
    }

    private static void readThree(Peer peer) throws Exception {
        peer.readRequest();
        peer.readRequest();
        peer.readRequest();
    }

    private static Map<String, Long> outcomes(Tally all) {
        Map<String, Long> outcomes = new TreeMap<>();
        all.causes().forEach((cause, failures) -> outcomes.put(cause, failures.count()));
        if (all.succeeded() > 0) {
            outcomes.put("success", all.succeeded());
        }
        return outcomes;
    }

    private static Tally run(URI uri, int users, long iterations, Duration timeout) {
        Tally all = run(plan(uri, users, iterations, timeout).build());
        assertThat(all.requests()).isEqualTo(users * iterations);
        return all;
    }

    private static Tally run(Plan plan) {
        return Tallies.sum(
                Engines.create(plan, RunListener.NONE).run().phases().get(0).operations());
    }

    private static PlanBuilder plan(URI uri, int users, long iterations, Duration timeout) {
        return Plan.builder(uri)
                .insecure(true)
                .responseTimeout(timeout)
                .operations(Operation.get("/"))
                .threads(users)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(iterations)))
                .engine(ONE_LOOP);
    }
}
