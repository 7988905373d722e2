package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.UsersTime;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whole runs against a server that counts. */
@Tag("contract")
@Timeout(60)
class EngineTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @Test
    void theDefaultPhasesSendExactlyThePlannedRequests() {
        Instant before = Instant.now();
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(20)
                .iterations(100)
                .build();

        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

        assertThat(measured.phases())
                .extracting(phase -> phase.phase().name(), PhaseMeasurement::users, this::sent)
                .containsExactly(
                        tuple("warmup", 2, 400L),
                        tuple("loading", 10, 2_000L),
                        tuple("peak", 20, 4_000L),
                        tuple("cooldown", 5, 1_000L));
        for (PhaseMeasurement phase : measured.phases()) {
            assertThat(phase.asked()).isEqualTo(sent(phase));
            assertThat(phase.notSent()).isEmpty();
            assertThat(phase.wall()).isPositive();
            assertThat(phase.startedAt().orElseThrow()).isBetween(before, Instant.now());
            assertThat(phase.operations()).extracting(Tally::requests).containsOnly(sent(phase) / 2);
            assertThat(phase.operations()).extracting(Tally::failed).containsOnly(0L);
        }
        assertThat(server.requests()).isEqualTo(7_400);
        assertThat(server.requests("GET")).isEqualTo(3_700);
        assertThat(server.requests("POST")).isEqualTo(3_700);
        assertThat(measured.interrupted()).isFalse();
        assertThat(measured.fault()).isEmpty();
        assertThat(measured.startedAt()).isBetween(before, Instant.now());
        assertThat(measured.wall()).isGreaterThanOrEqualTo(sumOfWalls(measured));
    }

    /** One connection a user: none is shared, none is made twice. */
    @Test
    void eachUserOpensItsOwnConnection() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(20)
                .iterations(5)
                .build();

        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

        assertThat(measured.phases())
                .extracting(phase ->
                        Tallies.sum(phase.operations()).histogram(Timing.SET_UP).getTotalCount())
                .containsExactly(2L, 10L, 20L, 5L);
    }

    @Test
    void noUserThreadOutlivesTheRun() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(20)
                .iterations(3)
                .build();

        TestEngine.of(plan, RunListener.NONE).run();

        assertThat(ClientThreads.users()).isEmpty();
    }

    @Test
    void aTimedPhaseLastsItsDurationAndFinishesItsIterations() {
        Duration length = Duration.ofMillis(400);
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .phases(
                        new Phase("first", 0.5, new PhaseLength.Lasting(length)),
                        new Phase("second", 1, new PhaseLength.Lasting(length)))
                .build();

        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

        for (PhaseMeasurement phase : measured.phases()) {
            assertThat(phase.wall()).isBetween(length, Duration.ofSeconds(20));
            assertThat(phase.asked()).isEqualTo(sent(phase)).isPositive();
            assertThat(phase.notSent()).isEmpty();
            assertThat(phase.operations().get(0).requests())
                    .isEqualTo(phase.operations().get(1).requests());
        }
        assertThat(server.requests("GET")).isEqualTo(server.requests("POST"));
        assertThat(server.requests()).isEqualTo(sent(measured));
        assertThat(measured.interrupted()).isFalse();
    }

    @Test
    void timedAndCountedPhasesMix() {
        Plan plan = Plan.builder(server.uri())
                .threads(2)
                .operations(Operation.get("/a"), Operation.get("/b"), Operation.get("/c"))
                .phases(
                        new Phase("timed", 1, new PhaseLength.Lasting(Duration.ofMillis(50))),
                        new Phase("counted", 1, new PhaseLength.Iterations(7)))
                .build();

        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

        assertThat(sent(measured.phases().get(0)) % 3).isZero();
        assertThat(sent(measured.phases().get(1))).isEqualTo(2 * 7 * 3);
        assertThat(server.requests()).isEqualTo(sent(measured));
    }

    @Test
    void failedRequestsDontEndARun() {
        server.close();
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(2)))
                .threads(4)
                .build();

        Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

        Tally all = Tallies.sum(measured.phases().get(0).operations());
        assertThat(all.causes())
                .containsExactly(Map.entry(
                        "connect refused", new Tally.Failures(4 * 2 * 2, "nothing is listening on the port")));
        assertThat(measured.fault()).isEmpty();
        assertThat(measured.interrupted()).isFalse();
    }

    @Test
    void anUnreachableTargetIsRetriedWithBackoff() {
        server.close();
        Plan closed = Plan.builder(server.uri())
                .phases(new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMillis(300))))
                .threads(2)
                .build();
        Plan open = Plan.builder(server.uri())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Lasting(Duration.ofMillis(300)),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(10_000)), Load.Overload.QUEUE)))
                .threads(2)
                .build();

        for (Plan plan : List.of(closed, open)) {
            Measurement measured = TestEngine.of(plan, RunListener.NONE).run();

            PhaseMeasurement peak = measured.phases().get(0);
            // Of each user after 0, 10, 30, 70, 150 ms, and for the rest of an iteration.
            assertThat(sent(peak)).isLessThanOrEqualTo(2 * (5 + 2));
            assertThat(peak.asked())
                    .isEqualTo(sent(peak)
                            + peak.notSent().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum());
        }
    }

    /** Little's law, of users that think, ramp, and are done at different times. */
    @Test
    void theTimeOfClosedUsersIsAccountedFor() {
        Plan plan = Plan.builder(server.uri())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Iterations(3),
                        new Load.Closed(Pause.of(Duration.ofMillis(20)), Pause.NONE, Duration.ofMillis(60))))
                .threads(3)
                .build();

        PhaseMeasurement peak =
                TestEngine.of(plan, RunListener.NONE).run().phases().get(0);

        UsersTime time = peak.client().usersTime().orElseThrow();
        assertThat(time.users()).isEqualTo(3);
        assertThat(time.tookPart()).isEqualTo(3);
        assertThat(time.total()).isEqualTo(peak.wall().multipliedBy(3));
        // Users begin after 0, 20 and 40 ms, and pause twice.
        assertThat(time.ramping()).isEqualTo(Duration.ofMillis(60));
        assertThat(time.pausing()).isEqualTo(Duration.ofMillis(3 * 2 * 20));
        assertThat(time.done()).isLessThan(time.total());
        assertThat(time.responding()).isPositive();
        assertThat(time.firstConnecting()).isPositive();
        assertThat(time.responding()
                        .plus(time.connecting())
                        .plus(time.pausing())
                        .plus(time.ramping())
                        .plus(time.done())
                        .plus(time.firstConnecting())
                        .plus(time.unscheduled())
                        .plus(time.missing()))
                .isEqualTo(time.total());
    }

    @Test
    void anEngineRunsOnlyOnce() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(1)
                .iterations(1)
                .build();
        Engine engine = TestEngine.of(plan, RunListener.NONE);
        engine.run();

        assertThatIllegalStateException().isThrownBy(engine::run);
        assertThat(server.requests()).isEqualTo(8);
    }

    @Test
    void skippedPhasesReportWhatTheyWouldHaveSent() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(10)
                .phases(
                        new Phase("counted", 0.5, new PhaseLength.Iterations(3)),
                        new Phase("timed", 1, new PhaseLength.Lasting(Duration.ofDays(1))))
                .build();
        Engine engine = TestEngine.of(plan, RunListener.NONE);
        engine.stop();

        Measurement measured = engine.run();

        PhaseMeasurement counted = measured.phases().get(0);
        assertThat(counted.users()).isEqualTo(5);
        assertThat(counted.startedAt()).isEqualTo(Optional.empty());
        assertThat(counted.wall()).isZero();
        assertThat(counted.asked()).isEqualTo(30);
        assertThat(counted.notSent()).containsExactly(Map.entry("interrupted", 30L));
        assertThat(counted.operations())
                .hasSameSizeAs(Scenario.getThenPost().operations())
                .extracting(Tally::requests)
                .containsOnly(0L);
        PhaseMeasurement timed = measured.phases().get(1);
        assertThat(timed.asked()).isZero();
        assertThat(timed.notSent()).isEmpty();
        assertThat(measured.interrupted()).isTrue();
        assertThat(server.requests()).isZero();
    }

    private long sent(Measurement measured) {
        return measured.phases().stream().mapToLong(this::sent).sum();
    }

    private long sent(PhaseMeasurement phase) {
        return Tallies.sum(phase.operations()).requests();
    }

    private static Duration sumOfWalls(Measurement measured) {
        return measured.phases().stream().map(PhaseMeasurement::wall).reduce(Duration.ZERO, Duration::plus);
    }
}
