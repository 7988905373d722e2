package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.BurstArrivals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a listener is told, and what happens to a run whose listener throws. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class RunListenerTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @Test
    void callsComeInOrder() {
        Journal journal = new Journal();
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .phases(
                        new Phase("a", 0.5, lasting(1_100)),
                        new Phase("b", 1, new PhaseLength.Iterations(2)),
                        new Phase("c", 0.25, lasting(100)))
                .build();

        Measurement measured = TestEngine.of(plan, journal).run();

        assertThat(String.join(" ", journal.calls))
                .matches("run a:2( interval a progress a)+ interval a end a"
                        + " b:4( interval b progress b)* interval b end b"
                        + " c:1( interval c progress c)* interval c end c");
        assertThat(journal.startedAt).isEqualTo(measured.startedAt());
        assertThat(journal.walls)
                .isEqualTo(
                        measured.phases().stream().map(PhaseMeasurement::wall).toList());
    }

    @Test
    void progressDescribesThePhase() {
        Journal journal = new Journal();
        server.close();
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(1)
                .phases(new Phase("a", 1, lasting(2_200)))
                .build();

        Measurement measured = TestEngine.of(plan, journal).run();

        assertThat(journal.progress).hasSizeGreaterThanOrEqualTo(2);
        Duration elapsed = Duration.ZERO;
        long failed = 0;
        for (RunListener.Progress progress : journal.progress) {
            assertThat(progress.phase().name()).isEqualTo("a");
            assertThat(progress.elapsed().minus(elapsed)).isPositive();
            elapsed = progress.elapsed();
            assertThat(progress.done()).isEqualTo(Math.min(1, elapsed.toNanos() / 2.2e9));
            assertThat(progress.requestsPerSecond()).isPositive();
            assertThat(progress.p99()).isPositive();
            assertThat(progress.failed()).isGreaterThan(failed);
            failed = progress.failed();
        }
        assertThat(journal.progress.get(0).elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(failed)
                .isLessThanOrEqualTo(
                        Tallies.sum(measured.phases().get(0).operations()).failed());
    }

    /** Two of four requests have been answered; the third waits for the tick. */
    @Test
    void progressOfACountedPhaseIsTheShareOfCompletedRequests() {
        CountDownLatch ticked = new CountDownLatch(1);
        List<RunListener.Progress> heard = Collections.synchronizedList(new ArrayList<>());
        server.beforeAnswer(number -> await(number == 3 ? ticked : new CountDownLatch(0)));
        RunListener listener = new RunListener() {
            @Override
            public void progress(Progress progress) {
                heard.add(progress);
                ticked.countDown();
            }
        };
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(1)
                .phases(new Phase("a", 1, new PhaseLength.Iterations(2)))
                .build();

        TestEngine.of(plan, listener).run();

        assertThat(heard.get(0).done()).isEqualTo(0.5);
        assertThat(heard.get(0).failed()).isZero();
        assertThat(server.requests()).isEqualTo(4);
    }

    /**
     * Eight are due, four of them at once, of which one user sends the first, if it comes in time, and none of the
     * others; then nothing is due for half a minute.
     */
    @Test
    void droppedRequestsCountAsProgress() {
        server.beforeAnswer(number -> LockSupport.parkNanos(50_000_000));
        AtomicReference<Engine> engine = new AtomicReference<>();
        List<RunListener.Progress> heard = Collections.synchronizedList(new ArrayList<>());
        RunListener listener = new RunListener() {
            @Override
            public void progress(Progress progress) {
                heard.add(progress);
                engine.get().stop();
            }
        };
        Load load = new Load.Open(new BurstArrivals(4, Duration.ofSeconds(30)), Load.Overload.DROP);
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(1)
                .phases(new Phase("a", 1, new PhaseLength.Iterations(4), load))
                .build();
        engine.set(TestEngine.of(plan, listener));

        PhaseMeasurement phase = engine.get().run().phases().get(0);

        assertThat(heard.get(0).done()).isEqualTo(0.5);
        assertThat(phase.notSent().get("dropped")).isBetween(3L, 4L);
        assertThat(phase.asked()).isEqualTo(8);
    }

    @Test
    void anExceptionAtTheStartEndsTheRunBeforeItsPhases() {
        RunListener listener = new RunListener() {
            @Override
            public void runStarted(Instant at) {
                throw new IllegalStateException("listener");
            }
        };
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(2)
                .iterations(1)
                .build();

        Measurement measured = TestEngine.of(plan, listener).run();

        assertThat(measured.fault().orElseThrow()).hasMessage("listener");
        assertThat(measured.interrupted()).isFalse();
        assertThat(measured.phases())
                .extracting(PhaseMeasurement::startedAt)
                .containsOnly(Optional.empty())
                .hasSize(4);
        assertThat(measured.phases().get(2).notSent()).containsExactly(Map.entry("client fault", 4L));
        assertThat(server.requests()).isZero();
    }

    static List<RunListener> throwing() {
        RuntimeException exception = new IllegalStateException("listener");
        return List.of(
                new RunListener() {
                    @Override
                    public void phaseStarted(Phase phase, int users) {
                        throw exception;
                    }
                },
                new RunListener() {
                    @Override
                    public void progress(Progress progress) {
                        throw exception;
                    }
                },
                new RunListener() {
                    @Override
                    public void phaseFinished(Phase phase, Duration wall) {
                        throw exception;
                    }
                },
                new RunListener() {
                    @Override
                    public void phaseStarted(Phase phase, int users) {
                        throw new AssertionError("listener");
                    }
                },
                new RunListener() {
                    @Override
                    public void progress(Progress progress) {
                        throw new AssertionError("listener");
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("throwing")
    void anExceptionInAListenerEndsTheRunAndLosesNothing(RunListener listener) {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .phases(new Phase("a", 1, lasting(1_100)), new Phase("b", 1, new PhaseLength.Iterations(5)))
                .build();

        Measurement measured = TestEngine.of(plan, listener).run();

        assertThat(measured.fault().orElseThrow()).hasMessage("listener");
        assertThat(measured.interrupted()).isFalse();
        PhaseMeasurement reached = measured.phases().get(0);
        assertThat(reached.startedAt()).isPresent();
        assertThat(Tallies.sum(reached.operations()).requests()).isEqualTo(server.requests());
        PhaseMeasurement notReached = measured.phases().get(1);
        assertThat(notReached.startedAt()).isEmpty();
        assertThat(notReached.notSent()).containsExactly(Map.entry("client fault", 40L));
    }

    private static PhaseLength lasting(long millis) {
        return new PhaseLength.Lasting(Duration.ofMillis(millis));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Journal implements RunListener {

        // Calls come one at a time, but from two threads.
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        private final List<Progress> progress = Collections.synchronizedList(new ArrayList<>());
        private final List<Duration> walls = Collections.synchronizedList(new ArrayList<>());
        private volatile Instant startedAt;

        @Override
        public void runStarted(Instant at) {
            calls.add("run");
            startedAt = at;
        }

        @Override
        public void phaseStarted(Phase phase, int users) {
            calls.add(phase.name() + ":" + users);
        }

        @Override
        public void interval(Interval interval) {
            calls.add("interval " + interval.phase());
        }

        @Override
        public void progress(Progress heard) {
            calls.add("progress " + heard.phase().name());
            progress.add(heard);
        }

        @Override
        public void phaseFinished(Phase phase, Duration wall) {
            calls.add("end " + phase.name());
            walls.add(wall);
        }
    }
}
