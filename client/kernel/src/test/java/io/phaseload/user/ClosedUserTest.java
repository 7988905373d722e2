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

import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.PhaseLength;
import io.phaseload.user.VirtualUser.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users of a phase of two operations, which starts at 1,000 ns. */
class ClosedUserTest {

    private static final long START = 1_000;
    private static final long MILLI = 1_000_000;

    private final Reachability target = new Reachability(false);

    @Test
    void withoutAPauseOperationsFollowOneAnother() {
        ClosedUser user = user(iterations(2), Load.Closed.AT_ONCE);

        assertThat(user.next(1_010, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isZero();
        assertThat(user.answered(1_020, answered(1_020, 1_100))).isEqualTo(1_020);
        assertThat(user.next(1_101, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isEqualTo(1);
        assertThat(user.answered(1_110, answered(1_120, 1_200)))
                .as("when it was ready, not when it was sent")
                .isEqualTo(1_110);
        assertThat(user.next(1_201, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isZero();
        user.answered(1_210, answered(1_210, 1_300));
        assertThat(user.next(1_300, false)).as("when the answer came").isEqualTo(Action.SEND);
        assertThat(user.operation()).isEqualTo(1);
        user.answered(1_310, answered(1_310, 1_400));
        assertThat(user.next(1_401, false)).isEqualTo(Action.END);
    }

    @Test
    void thinkTimeSeparatesIterations() {
        ClosedUser user = user(iterations(2), think(50, 50));
        iterate(user, 1_010, 1_200);

        assertThat(user.next(1_249, false)).isEqualTo(Action.WAIT);
        assertThat(user.waited()).as("the iteration hasn't begun").isFalse();
        assertThat(user.wakeNanos()).isEqualTo(1_250);
        assertThat(user.next(1_250, false)).isEqualTo(Action.SEND);
        assertThat(user.waited()).isTrue();
        assertThat(user.answered(1_260, answered(1_260, 1_300)))
                .as("what it was late is part of its response time")
                .isEqualTo(1_250);
        assertThat(user.next(1_301, false)).as("no pause within").isEqualTo(Action.SEND);
        assertThat(user.answered(1_310, answered(1_310, 1_400))).isEqualTo(1_310);
        assertThat(user.next(1_401, false)).as("no pause after the last").isEqualTo(Action.END);
    }

    @Test
    void aRequestThatHadToConnectIsDueOnceConnected() {
        ClosedUser user = user(iterations(2), think(50, 50));
        iterate(user, 1_010, 1_200);
        user.next(1_250, false);

        assertThat(user.answered(1_290, connected(1_290, 1_300, 30))).isEqualTo(1_290);
    }

    @Test
    void pacingSeparatesIntendedStarts() {
        ClosedUser user = user(iterations(4), pacing(500, 500));
        iterate(user, 1_010, 1_200);

        assertThat(user.next(1_509, false)).as("from when it started").isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(1_510);
        iterate(user, 1_530, 1_700);
        assertThat(user.next(2_009, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).as("not from when it came to it").isEqualTo(2_010);
    }

    /** It was to start at 1,510 again and took until 2,500: the next is intended then, too. */
    @Test
    void anIterationLongerThanThePacingIsFollowedImmediately() {
        ClosedUser user = user(iterations(4), pacing(500, 500));
        iterate(user, 1_010, 1_200);
        iterate(user, 1_510, 2_500);

        assertThat(user.next(2_600, false)).isEqualTo(Action.SEND);
        assertThat(user.answered(2_610, answered(2_610, 2_700)))
                .as("it wasn't waited for")
                .isEqualTo(2_610);
        user.next(2_700, false);
        user.answered(2_710, answered(2_710, 2_800));
        assertThat(user.next(3_099, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).as("from when it did start").isEqualTo(3_100);
    }

    /** An iteration that ends just when the next is due leaves nothing to wait for. */
    @Test
    void anIterationAsLongAsThePacingIsFollowedImmediately() {
        ClosedUser user = user(iterations(2), pacing(500, 500));
        iterate(user, 1_010, 1_510);

        assertThat(user.next(1_510, false)).isEqualTo(Action.SEND);
        assertThat(user.answered(1_520, answered(1_520, 1_600))).isEqualTo(1_520);
    }

    @Test
    void varyingPausesAreDrawnPerUserAndReachBothEnds() {
        List<Long> first = pauses(0);

        assertThat(first).allSatisfy(pause -> assertThat(pause).isBetween(3L, 5L));
        assertThat(first).contains(3L, 4L, 5L);
        assertThat(pauses(0)).isEqualTo(first);
        assertThat(pauses(1)).isNotEqualTo(first);
    }

    private List<Long> pauses(int index) {
        ClosedUser user = user(iterations(60), think(3, 5), index);
        List<Long> pauses = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 50; i++) {
            iterate(user, now, now + 100);
            now += 100;
            user.next(now, false);
            pauses.add(user.wakeNanos() - now);
            now = user.wakeNanos();
        }
        return pauses;
    }

    @Test
    void aRampStartsUsersOneAfterAnother() {
        Load.Closed ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofNanos(400));
        ClosedUser last = user(iterations(1), ramp, 3);

        assertThat(user(iterations(1), ramp, 0).next(START, false)).isEqualTo(Action.SEND);
        assertThat(last.next(START + 299, false)).isEqualTo(Action.WAIT);
        assertThat(last.wakeNanos()).isEqualTo(START + 300);
        assertThat(last.next(START + 300, false)).isEqualTo(Action.SEND);
        assertThat(last.answered(1_390, answered(1_390, 1_400))).isEqualTo(START + 300);
    }

    /** Its thread came so late that the ramp didn't hold it up. */
    @Test
    void aLateUserStartsImmediately() {
        Load.Closed ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofNanos(400));
        ClosedUser late = user(phase(iterations(1), ramp), ramp, 1, START, 1_100);

        assertThat(late.next(1_100, false)).isEqualTo(Action.SEND);
        assertThat(late.answered(1_110, answered(1_110, 1_200))).isEqualTo(1_110);
    }

    @Test
    void atTheEndNoIterationBeginsAndTheCurrentOneIsFinished() {
        ClosedUser user = user(lasting(1_000), Load.Closed.AT_ONCE);
        iterate(user, 1_010, 1_500);

        assertThat(user.next(1_999, false)).isEqualTo(Action.SEND);
        user.answered(1_999, answered(1_999, 2_100));
        assertThat(user.next(2_100, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isEqualTo(1);
        user.answered(2_110, answered(2_110, 2_200));
        assertThat(user.next(2_200, false)).isEqualTo(Action.END);
        ClosedUser late = user(lasting(1_000), Load.Closed.AT_ONCE);
        assertThat(late.next(2_000, false)).isEqualTo(Action.END);
    }

    @Test
    void aPauseEndsWithThePhase() {
        ClosedUser user = user(lasting(1_000), think(5_000, 5_000));
        iterate(user, 1_010, 1_500);

        assertThat(user.next(1_501, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(2_000);
        assertThat(user.next(2_000, false)).isEqualTo(Action.END);
        Load.Closed ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofNanos(80_000));
        ClosedUser never = user(lasting(1_000), ramp, 3);
        assertThat(never.next(START, false)).isEqualTo(Action.WAIT);
        assertThat(never.wakeNanos()).isEqualTo(2_000);
    }

    @Test
    void aStopEndsItInAnyState() {
        ClosedUser user = user(iterations(2), think(50, 50));

        assertThat(user.next(START, true)).as("before its first").isEqualTo(Action.END);
        user.next(START, false);
        user.answered(1_010, answered(1_010, 1_100));
        assertThat(user.next(1_100, true)).as("within an iteration").isEqualTo(Action.END);
        user.next(1_100, false);
        user.answered(1_110, answered(1_110, 1_200));
        assertThat(user.next(1_210, true)).as("in a pause").isEqualTo(Action.END);
    }

    @Test
    void anUnsentRequestEndsIt() {
        ClosedUser user = user(iterations(2), Load.Closed.AT_ONCE);
        user.next(START, false);

        user.unsent();

        assertThat(user.next(1_100, false)).isEqualTo(Action.END);
    }

    @Test
    void itBacksOffFromAnUnreachableTarget() {
        ClosedUser user = user(iterations(9), Load.Closed.AT_ONCE);
        user.next(START, false);

        user.answered(1_010, refused(1_010, 1_100));

        assertThat(user.next(1_099 + 10 * MILLI, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(1_100 + 10 * MILLI);
        assertThat(user.next(1_100 + 10 * MILLI, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isEqualTo(1);
        long sent = 1_200 + 10 * MILLI;
        user.answered(sent, refused(sent, sent + 100));
        assertThat(user.next(sent + 100, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(sent + 100 + 20 * MILLI);
        assertThat(user.next(user.wakeNanos(), false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isZero();
        assertThat(user.answered(77 * MILLI, answered(77 * MILLI, 78 * MILLI)))
                .as("not planned, though it was waited for")
                .isEqualTo(77 * MILLI);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thinkTimeFollowsTheBackoff(boolean reached) {
        ClosedUser user = user(iterations(9), think(50, 50));
        user.next(START, false);
        user.answered(1_010, reached ? connected(1_010, 1_100, 5) : refused(1_010, 1_100));
        user.next(50 * MILLI, false);

        user.answered(50 * MILLI, refused(50 * MILLI, 60 * MILLI));

        long away = 60 * MILLI + (reached ? 10 : 20) * MILLI;
        assertThat(user.next(away, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(away + 50);
    }

    @Test
    void theBackoffEndsWithThePhase() {
        ClosedUser user = user(lasting(5 * MILLI), Load.Closed.AT_ONCE);
        user.next(START, false);

        user.answered(1_010, refused(1_010, 1_100));

        assertThat(user.next(1_200, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(START + 5 * MILLI);
        assertThat(user.next(START + 5 * MILLI, false))
                .as("an iteration that has begun is finished")
                .isEqualTo(Action.SEND);
        user.answered(6 * MILLI, refused(6 * MILLI, 7 * MILLI));
        assertThat(user.next(7 * MILLI, false)).isEqualTo(Action.END);
    }

    /** The clock may be anywhere, even about to run over. */
    @Test
    void anOverflowOfTheClockHasNoEffect() {
        long start = Long.MAX_VALUE - 100;
        Load.Closed load = think(50, 50);
        ClosedUser user = user(phase(iterations(2), load), load, 0, start, start);
        user.next(start, false);
        user.answered(start, answered(start, start + 40));
        user.next(start + 40, false);
        user.answered(start + 40, answered(start + 40, start + 80));

        assertThat(user.next(start + 129, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(start + 130);
        assertThat(user.next(start + 130, false)).isEqualTo(Action.SEND);
    }

    private ClosedUser user(PhaseLength length, Load.Closed load) {
        return user(length, load, 0);
    }

    private ClosedUser user(PhaseLength length, Load.Closed load, int index) {
        return user(phase(length, load), load, index, START, START);
    }

    private ClosedUser user(PhaseSettings phase, Load.Closed load, int index, long start, long now) {
        Course course = new FixedCourse(phase.plan().scenario().order(), false, null);
        return new ClosedUser(phase, load, new Throttle(phase), index, start, now, target, course);
    }

    private static PhaseSettings phase(PhaseLength length, Load.Closed load) {
        return FakePhase.of(length, load);
    }

    private static Load.Closed pacing(long minNanos, long maxNanos) {
        return new Load.Closed(Pause.NONE, pause(minNanos, maxNanos), Duration.ZERO);
    }
}
