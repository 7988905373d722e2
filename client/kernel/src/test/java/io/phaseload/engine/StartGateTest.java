package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands between users that are ready and a clock that starts. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class StartGateTest {

    private static final Duration HELD = Duration.ofMillis(300);

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    static Stream<Load> loads() {
        return Stream.of(
                Load.Closed.AT_ONCE, new Load.Open(new ConstantArrivals(Rate.perSecond(1_000)), Load.Overload.QUEUE));
    }

    /** The users are there, nothing is sent, and no time passes for the phase until it opens. */
    @ParameterizedTest
    @MethodSource("loads")
    void nothingIsSentBeforeItOpens(Load load) {
        List<Long> sentBefore = Collections.synchronizedList(new ArrayList<>());
        List<Instant> opened = Collections.synchronizedList(new ArrayList<>());
        StartGate gate = phase -> CompletableFuture.runAsync(
                () -> {
                    sentBefore.add(server.requests());
                    opened.add(Instant.now());
                },
                CompletableFuture.delayedExecutor(HELD.toNanos(), TimeUnit.NANOSECONDS));

        Measurement measured = engine(load).run(gate);

        assertThat(measured.fault()).isEmpty();
        assertThat(sentBefore).containsExactly(0L, 10L);
        assertThat(server.requests()).isEqualTo(15);
        for (int i = 0; i < 2; i++) {
            PhaseMeasurement phase = measured.phases().get(i);
            assertThat(phase.startedAt().orElseThrow()).isAfterOrEqualTo(opened.get(i));
            assertThat(phase.notSent()).isEmpty();
        }
        assertThat(measured.wall()).isGreaterThanOrEqualTo(HELD.multipliedBy(2));
    }

    @Test
    void itIsAskedOncePerPhaseWhenTheUsersAreReadyAndToldWhenTheClockStarts() {
        List<String> heard = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        StartGate gate = new StartGate() {
            @Override
            public CompletionStage<Void> ready(Phase phase) {
                if (!TestEngine.isVirtual()) {
                    // Virtual threads can't be listed.
                    assertThat(ClientThreads.users()).isNotEmpty();
                }
                heard.add("ready " + phase.name());
                times.add(System.nanoTime());
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public long startAt(Phase phase) {
                long at = System.nanoTime() + HELD.toNanos();
                times.add(at);
                return at;
            }

            @Override
            public void started(Phase phase, long nanos) {
                heard.add("started " + phase.name());
                times.add(nanos);
            }
        };

        Measurement measured = engine(Load.Closed.AT_ONCE).run(gate);

        assertThat(measured.fault()).isEmpty();
        assertThat(heard).containsExactly("ready first", "started first", "ready second", "started second");
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isNotNegative();
        }
    }

    @Test
    void itDoesNotDelayAStop() {
        AtomicReference<Engine> engine = new AtomicReference<>(engine(Load.Closed.AT_ONCE));

        Measurement measured = engine.get().run(phase -> {
            new Thread(engine.get()::stop, "stops").start();
            return new CompletableFuture<>();
        });

        assertThat(measured.interrupted()).isTrue();
        assertNothingWasSent(measured, "interrupted");
    }

    @Test
    void itDoesNotDelayAnInterrupt() {
        Thread coordinator = Thread.currentThread();

        Measurement measured = engine(Load.Closed.AT_ONCE).run(phase -> {
            coordinator.interrupt();
            return new CompletableFuture<>();
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(measured.interrupted()).isTrue();
        assertNothingWasSent(measured, "interrupted");
    }

    @Test
    void aFailureIsAFaultOfTheRun() {
        IllegalStateException lost = new IllegalStateException("lost the coordinator");

        Measurement measured = engine(Load.Closed.AT_ONCE).run(phase -> CompletableFuture.failedFuture(lost));

        assertThat(measured.fault().orElseThrow())
                .hasMessage("start gate: lost the coordinator")
                .hasCause(lost);
        assertThat(measured.interrupted()).isFalse();
        assertNothingWasSent(measured, "client fault");
    }

    /** A target is given up after five seconds; here it has had a second and a half. */
    @Test
    void whileItIsHeldATargetIsNotGivenUp() throws IOException {
        try (Socket refusing = new Socket()) {
            refusing.bind(new InetSocketAddress("127.0.0.1", 0));
            Plan plan = Plan.builder(URI.create("http://127.0.0.1:" + refusing.getLocalPort()))
                    .threads(2)
                    .phases(
                            new Phase("first", 1, new PhaseLength.Lasting(Duration.ofMillis(1_500))),
                            new Phase("second", 1, new PhaseLength.Iterations(1)))
                    .build();
            StartGate gate = phase -> CompletableFuture.runAsync(
                    () -> {},
                    CompletableFuture.delayedExecutor(phase.name().equals("first") ? 4_500 : 0, TimeUnit.MILLISECONDS));

            Measurement measured = TestEngine.of(plan, RunListener.NONE).run(gate);

            assertThat(measured.phases().get(1).startedAt()).isPresent();
            assertThat(measured.phases().get(1).notSent()).isEmpty();
        }
    }

    @Test
    void oneThatFailsWithoutAMessageSaysWhatItIs() {
        Measurement measured =
                engine(Load.Closed.AT_ONCE).run(phase -> CompletableFuture.failedFuture(new TimeoutException()));

        assertThat(measured.fault().orElseThrow()).hasMessage("start gate: java.util.concurrent.TimeoutException");
    }

    private void assertNothingWasSent(Measurement measured, String reason) {
        assertThat(server.requests()).isZero();
        assertThat(measured.phases()).hasSize(2);
        assertThat(measured.phases())
                .allSatisfy(phase -> assertThat(phase.startedAt()).isEmpty());
        assertThat(measured.phases().get(0).notSent()).isEqualTo(Map.of(reason, 10L));
        assertThat(measured.phases().get(1).notSent()).isEqualTo(Map.of(reason, 5L));
        assertThat(Tallies.sum(measured.phases().get(0).operations()).requests())
                .isZero();
    }

    /** Of five users with two requests each, then with one. */
    private Engine engine(Load load) {
        Plan plan = Plan.builder(server.uri())
                .threads(5)
                .operations(Operation.get("/"))
                .phases(
                        new Phase("first", 1, new PhaseLength.Iterations(2), load),
                        new Phase("second", 1, new PhaseLength.Iterations(1), load))
                .build();
        return TestEngine.of(plan, RunListener.NONE);
    }
}
