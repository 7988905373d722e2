package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that are stopped, by a call or by an interrupt: nothing is lost, nothing is left. */
@Tag("contract")
@Timeout(60)
class StopTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    /** In flight are exactly as many requests as users; all of them get their answers. */
    @Test
    void requestsInFlightFinishAndNoMoreAreSent() throws Exception {
        CountDownLatch allInFlight = new CountDownLatch(5);
        CountDownLatch stopped = new CountDownLatch(1);
        server.beforeAnswer(number -> {
            allInFlight.countDown();
            await(stopped);
        });
        Engine engine = TestEngine.of(fivePeakUsers(), RunListener.NONE);
        Running running = Running.start(engine);
        allInFlight.await();

        engine.stop();
        stopped.countDown();
        Measurement measured = running.result();

        PhaseMeasurement peak = measured.phases().get(0);
        assertThat(peak.asked()).isEqualTo(5 * 100 * 2);
        assertThat(peak.notSent()).containsExactly(Map.entry("interrupted", 995L));
        assertThat(Tallies.sum(peak.operations()).succeeded()).isEqualTo(5);
        assertThat(measured.phases().get(1).startedAt()).isEmpty();
        assertThat(measured.phases().get(1).notSent()).containsExactly(Map.entry("interrupted", 200L));
        assertThat(server.requests()).isEqualTo(5);
        assertThat(measured.interrupted()).isTrue();
        assertThat(measured.fault()).isEmpty();
        assertCountsAddUp(measured);
    }

    /** The stop comes from within the server, at a request's arrival: the others do whatever. */
    @RepeatedTest(5)
    void aStopAtAnyMomentLosesNoRequest() {
        AtomicReference<Engine> engine = new AtomicReference<>();
        server.beforeAnswer(number -> {
            if (number == 321) {
                engine.get().stop();
            }
        });
        engine.set(TestEngine.of(fivePeakUsers(), RunListener.NONE));

        Measurement measured = engine.get().run();

        assertThat(measured.interrupted()).isTrue();
        assertThat(server.requests()).isBetween(321L, 999L);
        assertCountsAddUp(measured);
    }

    @Test
    void anInterruptEndsTheRunLikeAStop() throws Exception {
        CountDownLatch allInFlight = new CountDownLatch(5);
        CountDownLatch interrupted = new CountDownLatch(1);
        server.beforeAnswer(number -> {
            allInFlight.countDown();
            await(interrupted);
        });
        Running running = Running.start(TestEngine.of(fivePeakUsers(), RunListener.NONE));
        allInFlight.await();

        // The ticker is there from when the run waits for its users until it is told to stop.
        awaitTicker(true);
        running.thread.interrupt();
        awaitTicker(false);
        interrupted.countDown();
        Measurement measured = running.result();

        assertThat(running.flagWasSet).isTrue();
        assertThat(measured.interrupted()).isTrue();
        assertThat(measured.phases().get(0).wall()).isPositive();
        assertThat(server.requests()).isBetween(5L, 999L);
        assertCountsAddUp(measured);
    }

    @Test
    void anInterruptedThreadSendsNothing() throws Exception {
        Engine engine = TestEngine.of(fivePeakUsers(), RunListener.NONE);
        Thread.currentThread().interrupt();

        Measurement measured = engine.run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(measured.interrupted()).isTrue();
        assertThat(server.requests()).isZero();
        assertCountsAddUp(measured);
    }

    @Test
    void aStopBeforeTheRunPreventsItAndMayBeRepeated() {
        Engine engine = TestEngine.of(fivePeakUsers(), RunListener.NONE);
        engine.stop();
        engine.stop();

        Measurement measured = engine.run();
        engine.stop();

        assertThat(measured.interrupted()).isTrue();
        assertThat(server.requests()).isZero();
        assertCountsAddUp(measured);
    }

    @Test
    void aStopAfterTheRunHasNoEffect() {
        Engine engine = TestEngine.of(fivePeakUsers(), RunListener.NONE);

        Measurement measured = engine.run();
        engine.stop();

        assertThat(measured.interrupted()).isFalse();
        assertThat(server.requests()).isEqualTo(1_200);
    }

    /** The plan would wait for a minute; a stop waits for five seconds. */
    @Test
    @Tag("users")
    void theDrainOfASilentServerIsBounded() throws Exception {
        server.silent();
        Engine engine = TestEngine.of(
                Plan.builder(server.uri())
                        .scenario(Scenario.getThenPost())
                        .threads(5)
                        .responseTimeout(Duration.ofMinutes(1))
                        .phases(new Phase("peak", 1, new PhaseLength.Iterations(100)))
                        .build(),
                RunListener.NONE);
        Running running = Running.start(engine);
        while (server.requests() < 5) {
            Thread.onSpinWait();
        }

        long before = System.nanoTime();
        engine.stop();
        Measurement measured = running.result();
        Duration waited = Duration.ofNanos(System.nanoTime() - before);

        assertThat(waited).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(30));
        Tally peak = Tallies.sum(measured.phases().get(0).operations());
        assertThat(peak.causes().keySet()).containsExactly("client: stopped in flight");
        assertThat(peak.failed()).isEqualTo(5);
        assertThat(peak.responses()).isZero();
        assertThat(peak.counters().censored()).isZero();
        assertCountsAddUp(measured);
    }

    private static void awaitTicker(boolean alive) {
        while (ClientThreads.all().contains("phaseload-ticker") != alive) {
            Thread.onSpinWait();
        }
    }

    private Plan fivePeakUsers() {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(5)
                .phases(
                        new Phase("peak", 1, new PhaseLength.Iterations(100)),
                        new Phase("cooldown", 0.2, new PhaseLength.Iterations(100)))
                .build();
    }

    /** Asked is sent and not sent, and sent is what the server counted. */
    private void assertCountsAddUp(Measurement measured) {
        long allSent = 0;
        for (PhaseMeasurement phase : measured.phases()) {
            long sent = Tallies.sum(phase.operations()).requests();
            long notSent =
                    phase.notSent().values().stream().mapToLong(Long::longValue).sum();
            assertThat(phase.asked()).isEqualTo(sent + notSent);
            allSent += sent;
        }
        assertThat(server.requests()).isEqualTo(allSent);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A run in a thread of its own. */
    private static final class Running {

        private final Thread thread;
        private final AtomicReference<Measurement> measured = new AtomicReference<>();
        private boolean flagWasSet;

        private Running(Engine engine) {
            thread = new Thread(
                    () -> {
                        measured.set(engine.run());
                        flagWasSet = Thread.currentThread().isInterrupted();
                    },
                    "coordinator");
        }

        static Running start(Engine engine) {
            Running running = new Running(engine);
            running.thread.start();
            return running;
        }

        Measurement result() throws InterruptedException {
            thread.join();
            return measured.get();
        }
    }
}
