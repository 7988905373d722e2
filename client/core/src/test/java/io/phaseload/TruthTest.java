package io.phaseload;

import static io.phaseload.Truth.ATTEMPTS;
import static io.phaseload.Truth.MILLI;
import static io.phaseload.Truth.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import io.phaseload.engine.ClientThreads;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.TestEngine;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the client reports, compared with what a server knows that it did.
 *
 * <p>Counts are compared exactly. Times are compared as closely as the machine allows: client and server are threads of
 * one process here, so a thread that isn't given a processor for some milliseconds makes one of both right and the
 * other one wrong. {@link Noise} measures that beside each run.
 */
@Tag("contract")
@Tag("users")
@Timeout(120)
class TruthTest {

    @AfterEach
    void nothingIsLeftRunning() throws Exception {
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /**
     * By the number of the request: shares of 10 %, 5 % and 2 %. A request that was read and reset fails, with and
     * without a pause before it; no request is sent twice.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 15})
    void countersMatchTheServers(int thinkMillis) throws Exception {
        AtomicLong requests = new AtomicLong();
        AtomicLong answered = new AtomicLong();
        AtomicLong unavailable = new AtomicLong();
        AtomicLong reset = new AtomicLong();
        AtomicLong silent = new AtomicLong();
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                long number = requests.getAndIncrement();
                if (number % 50 == 11) {
                    silent.incrementAndGet();
                    peer.awaitHangUp();
                    return;
                } else if (number % 20 == 7) {
                    reset.incrementAndGet();
                    peer.reset();
                    return;
                } else if (number % 10 == 3) {
                    unavailable.incrementAndGet();
                    peer.write("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy");
                } else {
                    answered.incrementAndGet();
                    peer.write(Peer.OK);
                }
            }
        };
        PhaseMeasurement phase;
        int connections;
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Plan plan = Plan.builder(server.uri())
                    .threads(10)
                    .responseTimeout(Duration.ofSeconds(1))
                    .operations(Operation.get("/"))
                    .phases(new Phase(
                            "peak",
                            1,
                            new PhaseLength.Iterations(60),
                            new Load.Closed(Pause.of(Duration.ofMillis(thinkMillis)), Pause.NONE, Duration.ZERO)))
                    .build();
            phase = TestEngine.of(plan, RunListener.NONE).run().phases().get(0);
            connections = server.connections();
        }

        Tally all = Tallies.sum(phase.operations());
        assertThat(all.counters().resent()).isZero();
        assertThat(requests.get()).isEqualTo(600);
        assertThat(List.of(answered.get(), unavailable.get(), reset.get(), silent.get()))
                .containsExactly(498L, 60L, 30L, 12L);
        assertThat(phase.asked()).isEqualTo(600);
        assertThat(all.requests()).isEqualTo(600);
        assertThat(all.succeeded()).isEqualTo(answered.get());
        assertThat(all.failed()).isEqualTo(600 - answered.get());
        assertThat(all.responses()).isEqualTo(answered.get() + unavailable.get());
        assertThat(all.counters().censored()).isEqualTo(silent.get());
        Map<String, Long> failures = new TreeMap<>();
        // The time of the reset decides which of two causes it has.
        String unknown = Cause.UNKNOWN_IF_READ.key();
        all.causes()
                .forEach((cause, failed) -> failures.merge(
                        cause.equals(unknown) ? "reset before response" : cause, failed.count(), Long::sum));
        assertThat(failures)
                .isEqualTo(Map.of(
                        "http 503", unavailable.get(),
                        "reset before response", reset.get(),
                        "read timeout", silent.get()));
        // Kept alive: only a reset and a timeout need a new one, and none was closed in between.
        assertThat(all.histogram(Timing.SET_UP).getTotalCount()).isEqualTo(connections);
        assertThat((long) connections).isBetween(reset.get() + silent.get(), 10 + reset.get() + silent.get());
        assertThat(all.counters().reconnects()).isZero();
    }

    /**
     * The server takes 10 ms for 85 %, 100 ms for 12 % and 1 s for 3 % of the requests, so that no percentile is at a
     * step, where it is the worst of many. What a percentile should be is what the server itself measured: a wait ends
     * later than it was meant to.
     *
     * <p>The bound is 1 % or 1 ms. One of three runs must keep it. Where none does and the noise is above the bound,
     * that is said and the test is skipped; but no run may be off by more than bound and noise together.
     */
    @Test
    void percentilesMatchTheServers() throws Exception {
        String off = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Noise noise = Noise.start();
            Queue<Long> served = new ConcurrentLinkedQueue<>();
            Figures totals;
            try (noise;
                    MisbehavingServer server = MisbehavingServer.start(delays(served))) {
                totals = sixtyUsers(server.uri());
            }
            assertThat(totals.succeeded()).isEqualTo(6_000);
            assertThat(served).hasSize(6_000);
            Latency response = totals.response();
            double[] truth =
                    served.stream().mapToDouble(nanos -> nanos / MILLI).sorted().toArray();
            double[] percents = {50, 75, 90, 95, 99, 99.9, 100};
            LatencyValue[] reported = {
                response.p50(),
                response.p75(),
                response.p90(),
                response.p95(),
                response.p99(),
                response.p999(),
                response.max()
            };
            StringBuilder errors = new StringBuilder();
            for (int i = 0; i < percents.length; i++) {
                double expected = truth[(int) Math.ceil(truth.length * percents[i] / 100) - 1];
                double actual = millis(reported[i]);
                double bound = Math.max(1, expected / 100);
                assertThat(actual)
                        .as("p%s, where %s", percents[i], noise)
                        .isCloseTo(expected, within(bound + 5 * noise.millis(100)));
                if (Math.abs(actual - expected) > bound) {
                    errors.append(
                            String.format("p%s is %.3f ms, the server's %.3f ms; ", percents[i], actual, expected));
                }
            }
            assertThat(response.p9999()).isEqualTo(new LatencyValue.TooFewSamples(6_000, 56_647));
            if (errors.length() == 0) {
                return;
            }
            off = errors + noise.toString();
            assertThat(noise.millis(100)).as(off).isGreaterThan(1);
        }
        abort("the machine is too noisy: " + off);
    }

    private static Script delays(Queue<Long> served) {
        AtomicLong requests = new AtomicLong();
        return peer -> {
            while (true) {
                peer.readRequest();
                long begun = System.nanoTime();
                long number = requests.getAndIncrement() % 100;
                peer.pause(Duration.ofMillis(number < 85 ? 10 : number < 97 ? 100 : 1_000));
                peer.write(Peer.OK);
                served.add(System.nanoTime() - begun);
            }
        };
    }

    private static Figures sixtyUsers(URI uri) {
        Plan plan = Plan.builder(uri)
                .threads(60)
                .operations(Operation.get("/"))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(100)))
                .build();
        try (ThreadsLoadClient client = ThreadsLoadClient.of(TestEngine.on(plan))) {
            return client.run().totals();
        }
    }
}
