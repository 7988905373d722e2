package io.phaseload.user;

import static io.phaseload.user.FakePhase.answered;
import static io.phaseload.user.FakePhase.connected;
import static io.phaseload.user.FakePhase.iterations;
import static io.phaseload.user.FakePhase.lasting;
import static io.phaseload.user.FakePhase.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Load;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.user.Arrivals.Arrival;
import io.phaseload.user.VirtualUser.Action;
import org.junit.jupiter.api.Test;

/** A user of a phase of two operations, which starts at 1,000 ns. */
class OpenUserTest {

    private static final long START = 1_000;
    private static final long MILLI = 1_000_000;

    private final Reachability target = new Reachability(false);

    @Test
    void itTakesAnArrivalAndWaitsForItsTime() {
        OpenUser user = user(iterations(9));

        assertThat(user.next(START, false)).isEqualTo(Action.CLAIM);
        user.take(new Arrival(7, 500));
        assertThat(user.next(1_499, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(1_500);
        assertThat(user.next(1_500, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).as("7 of two that take turns").isEqualTo(1);
        assertThat(user.answered(1_590, connected(1_590, 1_700, 50)))
                .as("whatever came between")
                .isEqualTo(1_500);
        assertThat(user.next(1_700, false)).isEqualTo(Action.CLAIM);
        user.take(new Arrival(8, 600));
        assertThat(user.next(1_700, false)).as("late, so at once").isEqualTo(Action.SEND);
        assertThat(user.operation()).isZero();
        assertThat(user.answered(1_710, answered(1_710, 1_800))).isEqualTo(1_600);
    }

    @Test
    void onlyAFreeUserWaitsForItsTimer() {
        OpenUser user = user(iterations(9));
        user.next(START, false);
        user.take(new Arrival(7, 500));
        assertThat(user.waited()).isTrue();
        user.answered(1_590, answered(1_590, 1_700));

        user.next(1_700, false);
        user.take(new Arrival(8, 600));

        assertThat(user.waited()).as("it was busy when the request was due").isFalse();
    }

    @Test
    void withoutArrivalsACountedPhaseEnds() {
        OpenUser user = user(iterations(9));

        user.take(Arrival.NONE);

        assertThat(user.next(START, false)).isEqualTo(Action.END);
    }

    @Test
    void withoutArrivalsATimedPhaseLastsToItsEnd() {
        OpenUser user = user(lasting(5_000));

        user.take(Arrival.NONE);

        assertThat(user.next(5_999, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(6_000);
        assertThat(user.next(5_999, true)).isEqualTo(Action.END);
        assertThat(user.next(6_000, false)).isEqualTo(Action.END);
    }

    @Test
    void aStopEndsItInAnyState() {
        OpenUser user = user(iterations(9));

        assertThat(user.next(START, true)).isEqualTo(Action.END);
        user.take(new Arrival(0, 500));
        assertThat(user.next(START, true)).as("while it waits").isEqualTo(Action.END);
        assertThat(user.next(1_500, true)).as("when it is due").isEqualTo(Action.END);
    }

    @Test
    void anUnsentRequestEndsIt() {
        OpenUser user = user(lasting(5_000));
        user.take(new Arrival(0, 0));
        user.next(START, false);

        user.unsent();

        assertThat(user.next(1_100, false)).isEqualTo(Action.END);
    }

    @Test
    void itBacksOffFromATargetThatWasNeverReached() {
        OpenUser user = user(iterations(9));
        user.take(new Arrival(0, 0));

        user.answered(START, refused(START, 2_000));

        assertThat(user.next(1_999 + 10 * MILLI, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(2_000 + 10 * MILLI);
        assertThat(user.next(2_000 + 10 * MILLI, false)).isEqualTo(Action.CLAIM);
    }

    @Test
    void itDoesNotBackOffFromATargetThatWasReached() {
        OpenUser user = user(iterations(9));
        user.take(new Arrival(0, 0));
        user.answered(START, connected(START, 1_500, 50));
        user.take(new Arrival(1, 600));

        user.answered(1_600, refused(1_600, 2_000));

        assertThat(user.next(2_000, false)).isEqualTo(Action.CLAIM);
    }

    @Test
    void theBackoffEndsWithThePhase() {
        OpenUser user = user(lasting(5_000));
        user.take(new Arrival(0, 0));

        user.answered(START, refused(START, 2_000));

        assertThat(user.next(2_000, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(6_000);
    }

    private OpenUser user(PhaseLength length) {
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Load.Overload.QUEUE);
        PhaseSettings phase = FakePhase.of(length, load);
        return new OpenUser(
                phase,
                new Throttle(phase),
                START,
                target,
                new FixedCourse(phase.plan().scenario().order(), true, null));
    }
}
