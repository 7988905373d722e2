package io.phaseload.user;

import static io.phaseload.user.FakePhase.iterations;
import static io.phaseload.user.FakePhase.lasting;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.plan.Pause;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.user.Arrivals.Arrival;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Phases of four users and two operations. */
class PhaseSettingsTest {

    private static final Load OPEN = new Load.Open(new ConstantArrivals(Rate.perSecond(1_000)), Overload.QUEUE);

    @Test
    void aCountedPhaseAsksForAllIterations() {
        PhaseSettings phase = FakePhase.of(iterations(3), Load.Closed.AT_ONCE);

        assertThat(phase.users()).isEqualTo(4);
        assertThat(phase.operations()).isEqualTo(2);
        assertThat(phase.timed()).isFalse();
        assertThat(phase.iterations(0)).isEqualTo(3);
        assertThat(phase.asked()).isEqualTo(4 * 3 * 2);
        assertThat(phase.durationNanos()).isGreaterThan(Duration.ofDays(36_500).toNanos());
        assertThat(phase.leastNanos()).isZero();
    }

    @Test
    void aTotalIsDealtToTheUsers() {
        PhaseSettings phase = FakePhase.of(new PhaseLength.Total(12), Load.Closed.AT_ONCE);

        assertThat(phase.asked()).isEqualTo(12);
        assertThat(phase.iterations(0)).isEqualTo(2);
        assertThat(phase.iterations(1)).isEqualTo(2);
        assertThat(phase.iterations(2)).isEqualTo(1);
        assertThat(phase.iterations(3)).isEqualTo(1);

        Arrivals open = arrivals(FakePhase.of(new PhaseLength.Total(11), OPEN)).orElseThrow();
        assertThat(open.notSent("left", 0)).containsEntry("left", 11L);
    }

    @Test
    void aTimedPhaseAsksForNoNumber() {
        PhaseSettings phase = FakePhase.of(lasting(5_000), Load.Closed.AT_ONCE);

        assertThat(phase.timed()).isTrue();
        assertThat(phase.iterations(0)).isGreaterThan(1L << 60);
        assertThat(phase.asked()).isZero();
        assertThat(phase.durationNanos()).isEqualTo(5_000);
        assertThat(phase.leastNanos()).isEqualTo(5_000);
    }

    @Test
    void aRampIsDividedAmongTheUsers() {
        Load ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofNanos(402));
        PhaseSettings phase = FakePhase.of(iterations(1), ramp);

        assertThat(phase.rampNanos(0)).isZero();
        assertThat(phase.rampNanos(1)).isEqualTo(100);
        assertThat(phase.rampNanos(3)).isEqualTo(301);
        assertThat(FakePhase.of(iterations(1), OPEN).rampNanos(3)).isZero();
    }

    @Test
    void eachUserHasItsOwnRandomNumbers() {
        PhaseSettings phase = FakePhase.of(iterations(1), Load.Closed.AT_ONCE);

        long first = phase.random(0).nextLong();
        assertThat(phase.random(0).nextLong()).isEqualTo(first);
        assertThat(phase.random(1).nextLong()).isNotEqualTo(first);
        assertThat(phase.random(3).nextLong())
                .as("those of the plan's seed, the phase's name and the user")
                .isEqualTo(new SplittableRandom(7 + "phase".hashCode() * 31L + 3).nextLong());
    }

    @Test
    void anOpenPhaseHasTheRequestedArrivals() {
        Arrivals counted = arrivals(FakePhase.of(iterations(3), OPEN)).orElseThrow();
        Arrivals timed = arrivals(FakePhase.of(lasting(5_000_000), OPEN)).orElseThrow();

        assertThat(counted.notSent("left", 0)).containsEntry("left", 24L);
        assertThat(timed.notSent("left", 0)).containsEntry("left", 5L);
        assertThat(timed.claim(() -> 5_000_000)).isSameAs(Arrival.NONE);
        assertThat(arrivals(FakePhase.of(iterations(1), Load.Closed.AT_ONCE))).isEmpty();
    }

    @Test
    void connectionsArePacedIfThePlanSaysSo() {
        EngineSettings paced = EngineSettings.builder("threads")
                .connectRate(Rate.perSecond(10))
                .build();
        PhaseSettings phase = FakePhase.of(iterations(1), OPEN, paced);

        assertThat(phase.paced()).isTrue();
        ConnectPace pace = phase.newConnectPace().orElseThrow();
        assertThat(pace.next(0)).isZero();
        assertThat(pace.next(0)).isEqualTo(100_000_000);
        assertThat(FakePhase.of(iterations(1), OPEN).paced()).isFalse();
        assertThat(FakePhase.of(iterations(1), OPEN).newConnectPace()).isEmpty();
    }

    private static Optional<Arrivals> arrivals(PhaseSettings settings) {
        return settings.newArrivals(new Throttle(settings));
    }
}
