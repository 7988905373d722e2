package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Phases whose requests come from a schedule, against a server that counts. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class OpenModelTest {

    private static final String AT_THE_END = "queued at the phase's end";
    private static final Schedule HUNDRED = new ConstantArrivals(Rate.perSecond(100));

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @Test
    void aConstantRateIsExactAndOperationsTakeTurns() {
        Schedule twoHundred = new ConstantArrivals(Rate.perSecond(200));

        PhaseMeasurement phase = run(8, lasting(2_000), twoHundred, Overload.QUEUE);

        assertThat(phase.asked()).isEqualTo(400);
        assertThat(phase.notSent()).isEmpty();
        assertThat(phase.operations()).extracting(Tally::requests).containsExactly(200L, 200L);
        assertThat(server.requests("GET")).isEqualTo(200);
        assertThat(server.requests("POST")).isEqualTo(200);
        assertThat(Tallies.sum(phase.operations()).succeeded()).isEqualTo(400);
        // The last one is due 5 ms before the end.
        assertThat(phase.wall()).isGreaterThanOrEqualTo(Duration.ofMillis(1_995));
    }

    @Test
    void iterationsSendAsManyRequestsAsInAClosedModel() {
        Schedule fast = new ConstantArrivals(Rate.perSecond(2_000));

        PhaseMeasurement phase = run(4, new PhaseLength.Iterations(25), fast, Overload.QUEUE);

        assertThat(phase.asked()).isEqualTo(4 * 25 * 2);
        assertThat(phase.notSent()).isEmpty();
        assertThat(server.requests("GET")).isEqualTo(100);
        assertThat(server.requests("POST")).isEqualTo(100);
    }

    static Stream<Arguments> schedules() {
        Rate slow = Rate.perSecond(50);
        Rate fast = Rate.perSecond(150);
        Duration half = Duration.ofMillis(500);
        return Stream.of(
                // (50 + 150) / 2 a second, for a second.
                Arguments.of(new RampArrivals(slow, fast, Duration.ofSeconds(1)), 100),
                Arguments.of(new RampArrivals(fast, slow, Duration.ofSeconds(1)), 100),
                Arguments.of(
                        new StepArrivals(List.of(new StepArrivals.Step(slow, half), new StepArrivals.Step(fast, half))),
                        25 + 75),
                // At 0, 300, 600 and 900 ms.
                Arguments.of(new BurstArrivals(20, Duration.ofMillis(300)), 80));
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void eachScheduleFollowsItsFormula(Schedule schedule, long requests) {
        PhaseMeasurement phase = run(8, lasting(1_000), schedule, Overload.QUEUE);

        assertCountsAddUp(phase);
        assertThat(phase.asked()).isEqualTo(requests);
        // A machine that stalls at the phase's end may leave some in the queue.
        assertThat(phase.notSent().keySet()).isSubsetOf(AT_THE_END);
    }

    @Test
    void theSeedDeterminesAPoissonPhase() {
        Schedule poisson = new PoissonArrivals(Rate.perSecond(200), 7);
        Offsets offsets = poisson.offsets();
        long expected = 0;
        while (offsets.nextNanos() < 1_000_000_000L) {
            expected++;
        }

        PhaseMeasurement once = run(8, lasting(1_000), poisson, Overload.QUEUE);
        assertCountsAddUp(once);
        PhaseMeasurement again = run(8, lasting(1_000), poisson, Overload.DROP);

        assertThat(once.asked()).isEqualTo(expected);
        assertThat(again.asked()).isEqualTo(expected);
    }

    /**
     * One user, and a server that takes 100 ms for each of 100 requests a second: the request with index i is due at i
     * · 10 ms and sent at i · 100 ms at the earliest.
     */
    @Test
    void queuedRequestsSlipAndUnsentOnesAreReported() {
        server.beforeAnswer(number -> pause(100));

        PhaseMeasurement phase = run(1, lasting(1_000), HUNDRED, Overload.QUEUE);

        assertCountsAddUp(phase);
        assertThat(phase.asked()).isEqualTo(100);
        assertThat(phase.notSent()).containsOnlyKeys(AT_THE_END);
        Tally all = Tallies.sum(phase.operations());
        long sent = all.requests();
        assertThat(sent).isBetween(2L, 10L);
        double millis = 1e6;
        Histogram slip = all.histogram(Timing.SLIP);
        // The last one waited for all before it.
        assertThat(slip.getMaxValue() / millis).isGreaterThanOrEqualTo((sent - 1) * 89.9);
        double leastMean = (sent - 1) / 2.0 * 90;
        assertThat(slip.getMean() / millis).isGreaterThanOrEqualTo(leastMean * 0.998);
        // Response is slip and service, from the time at which it was due.
        assertThat(all.histogram(Timing.RESPONSE).getMean())
                .isCloseTo(
                        slip.getMean() + all.histogram(Timing.SERVICE).getMean(),
                        within(all.histogram(Timing.RESPONSE).getMean() / 500));
        assertThat(all.histogram(Timing.SERVICE).getMinValue() / millis).isGreaterThanOrEqualTo(99.9);
    }

    @Test
    void requestsWithoutAFreeUserAreDropped() {
        server.beforeAnswer(number -> pause(100));

        PhaseMeasurement phase = run(1, lasting(1_000), HUNDRED, Overload.DROP);

        assertCountsAddUp(phase);
        assertThat(phase.asked()).isEqualTo(100);
        assertThat(phase.notSent()).containsKey("dropped");
        assertThat(phase.notSent().keySet()).isSubsetOf("dropped", AT_THE_END);
        assertThat(phase.notSent().get("dropped")).isGreaterThanOrEqualTo(70);
    }

    /** The first answers wait for the stop, so that every user is busy and a queue is there. */
    @ParameterizedTest
    @EnumSource
    void aStopLosesNoRequest(Overload overload) throws Exception {
        CountDownLatch inFlight = new CountDownLatch(2);
        CountDownLatch stopped = new CountDownLatch(1);
        server.beforeAnswer(number -> {
            inFlight.countDown();
            await(stopped);
        });
        Engine engine = engine(2, lasting(60_000), HUNDRED, overload);
        AtomicReference<Measurement> measured = new AtomicReference<>();
        Thread running = new Thread(() -> measured.set(engine.run()), "coordinator");
        running.start();
        inFlight.await();

        engine.stop();
        stopped.countDown();
        running.join();

        PhaseMeasurement phase = measured.get().phases().get(0);
        assertThat(measured.get().interrupted()).isTrue();
        assertCountsAddUp(phase);
        assertThat(phase.asked()).isEqualTo(6_000);
        assertThat(server.requests()).isEqualTo(2);
        assertThat(phase.notSent()).containsKey("interrupted");
        // A user that is late for its first request doesn't make up for it.
        assertThat(phase.notSent().keySet())
                .isSubsetOf("interrupted", overload == Overload.DROP ? "dropped" : "interrupted");
        assertThat(phase.notSent().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(5_998);
    }

    /** The next request is due in ten seconds. */
    @Test
    void aStopInterruptsTheWaitForTheNextRequest() {
        AtomicReference<Engine> engine = new AtomicReference<>();
        server.beforeAnswer(number -> engine.get().stop());
        Schedule slow = new ConstantArrivals(new Rate(1, Duration.ofSeconds(50)));
        engine.set(engine(3, lasting(100_000), slow, Overload.QUEUE));

        PhaseMeasurement phase = engine.get().run().phases().get(0);

        assertCountsAddUp(phase);
        assertThat(phase.notSent()).isEqualTo(Map.of("interrupted", 1L));
        assertThat(phase.wall()).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void aSkippedPhaseReportsWhatItWouldHaveSent() {
        Engine engine = engine(2, lasting(2_000), HUNDRED, Overload.DROP);
        engine.stop();

        PhaseMeasurement phase = engine.run().phases().get(0);

        assertThat(phase.asked()).isEqualTo(200);
        assertThat(phase.notSent()).isEqualTo(Map.of("interrupted", 200L));
        assertThat(server.requests()).isZero();
    }

    private PhaseMeasurement run(int users, PhaseLength length, Schedule schedule, Overload overload) {
        Measurement measured = engine(users, length, schedule, overload).run();
        assertThat(measured.fault()).isEmpty();
        return measured.phases().get(0);
    }

    private Engine engine(int users, PhaseLength length, Schedule schedule, Overload overload) {
        Plan plan = Plan.builder(server.uri())
                .threads(users)
                .responseTimeout(Duration.ofSeconds(30))
                .operations(Operation.get("/"), Operation.of("POST", "/"))
                .phases(new Phase("open", 1, length, new Load.Open(schedule, overload)))
                .build();
        return TestEngine.of(plan, RunListener.NONE);
    }

    /** Asked is sent and not sent, and sent is what the server counted of this run alone. */
    private void assertCountsAddUp(PhaseMeasurement phase) {
        long sent = Tallies.sum(phase.operations()).requests();
        long notSent =
                phase.notSent().values().stream().mapToLong(Long::longValue).sum();
        assertThat(sent + notSent).isEqualTo(phase.asked());
        assertThat(server.requests()).isEqualTo(sent);
    }

    private static PhaseLength lasting(long millis) {
        return new PhaseLength.Lasting(Duration.ofMillis(millis));
    }

    /** What the server takes for an answer. */
    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
