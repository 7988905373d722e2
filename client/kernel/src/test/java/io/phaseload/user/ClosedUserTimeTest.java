package io.phaseload.user;

import static io.phaseload.user.FakePhase.answered;
import static io.phaseload.user.FakePhase.connected;
import static io.phaseload.user.FakePhase.iterate;
import static io.phaseload.user.FakePhase.iterations;
import static io.phaseload.user.FakePhase.lasting;
import static io.phaseload.user.FakePhase.pause;
import static io.phaseload.user.FakePhase.refused;
import static io.phaseload.user.FakePhase.think;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.UsersTime;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.schedule.Rate;
import io.phaseload.user.VirtualUser.Action;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What closed users of a phase, which starts at 1,000 ns, spend their time on. */
class ClosedUserTimeTest {

    private static final long START = 1_000;
    private static final long MILLI = 1_000_000;

    private final Reachability target = new Reachability(false);

    @Test
    void allOfItsTimeIsAccountedFor() {
        Load.Closed ramp = new Load.Closed(pause(1_000, 1_000), Pause.NONE, Duration.ofNanos(4_000));
        ClosedUser user = user(lasting(20_000), ramp, 1);
        user.next(2_000, false);
        user.answered(2_400, connected(2_400, 3_000, 300));
        user.next(3_000, false);
        user.answered(3_100, answered(3_100, 4_000));
        user.next(5_000, false);
        user.answered(5_100, answered(5_100, 6_000));

        UsersTime time = user.time().over(START, 21_000);

        assertThat(time.ramping()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(time.firstConnecting()).isEqualTo(Duration.ofNanos(300));
        assertThat(time.unscheduled()).isEqualTo(Duration.ofNanos(100));
        assertThat(time.pausing()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(time.responding()).isEqualTo(Duration.ofNanos(600 + 900 + 1_000));
        assertThat(time.done()).isEqualTo(Duration.ofNanos(15_000));
    }

    @Test
    void backoffCountsAsAPauseExceptAfterTheLastIteration() {
        ClosedUser user = user(iterations(1), think(1_000, 1_000));
        user.next(START, false);
        user.answered(START, refused(START, 2_000));
        user.next(user.wakeNanos(), false);
        long sent = user.wakeNanos();
        user.answered(sent, answered(sent, sent + 1_000));

        UsersTime time = user.time().over(START, sent + 9_000);

        assertThat(time.pausing()).isEqualTo(Duration.ofNanos(10 * MILLI));
        assertThat(time.done()).isEqualTo(Duration.ofNanos(8_000));
    }

    @Test
    void aBackOffAfterTheLastRequestIsNoPause() {
        ClosedUser user = user(iterations(1), Load.Closed.AT_ONCE);
        user.next(START, false);
        user.answered(START, refused(START, 2_000));
        long sent = user.wakeNanos();
        user.next(sent, false);
        user.answered(sent, refused(sent, sent + 1_000));
        assertThat(user.next(sent + 1_000, false)).isEqualTo(Action.END);

        UsersTime time = user.time().over(START, sent + 9_000);

        assertThat(time.pausing()).isEqualTo(Duration.ofNanos(10 * MILLI));
        assertThat(time.done()).isEqualTo(Duration.ofNanos(8_000));
    }

    @Test
    void aPauseCutShortByAStopCountsAsFarAsItWent() {
        ClosedUser user = user(iterations(2), think(50_000, 50_000));
        iterate(user, 1_000, 2_000);
        user.next(2_000, false);
        user.next(5_000, true);
        assertThat(user.next(6_000, true)).as("asked again").isEqualTo(Action.END);

        UsersTime time = user.time().over(START, 9_000);

        assertThat(time.pausing()).isEqualTo(Duration.ofNanos(3_000));
        assertThat(time.done()).isEqualTo(Duration.ofNanos(4_000));
    }

    @Test
    void aUserThatNeverBeganHasNoPause() {
        Load.Closed ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofNanos(4_000));
        ClosedUser user = user(iterations(1), ramp, 3);
        user.next(START, false);
        user.next(2_000, true);

        UsersTime time = user.time().over(START, 3_000);

        assertThat(time.ramping()).isEqualTo(time.total());
        assertThat(time.pausing()).isZero();
    }

    @Test
    void waitingToConnectCountsAsRamp() {
        EngineSettings paced =
                EngineSettings.builder("threads").connectRate(Rate.perSecond(1)).build();
        PhaseSettings phase = FakePhase.of(iterations(1), Load.Closed.AT_ONCE, paced);
        ClosedUser user = user(phase, Load.Closed.AT_ONCE, 0);
        user.next(START, false);
        user.answered(5_000, connected(5_000, 6_000, 1_000));

        assertThat(user.time().over(START, 6_000).ramping()).isEqualTo(Duration.ofNanos(3_000));
    }

    private ClosedUser user(PhaseLength length, Load.Closed load) {
        return user(length, load, 0);
    }

    private ClosedUser user(PhaseLength length, Load.Closed load, int index) {
        return user(FakePhase.of(length, load), load, index);
    }

    private ClosedUser user(PhaseSettings phase, Load.Closed load, int index) {
        Course course = new FixedCourse(phase.plan().scenario().order(), false, null);
        return new ClosedUser(phase, load, new Throttle(phase), index, START, START, target, course);
    }
}
