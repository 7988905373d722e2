package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.UsersTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A user of a phase from 1,000 to 11,000 ns. */
class UserTimeTest {

    private static final long START = 1_000;
    private static final long END = 11_000;

    private final UserTime user = new UserTime(false);

    private static Exchange sent(long at, long end, long setUp) {
        return Exchanges.of(at, end, Outcome.SUCCESS, 100, setUp, false);
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static void expectWhole(UsersTime time) {
        assertThat(time.total()).isEqualTo(nanos(END - START));
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
    void allOfItsTimeIsAccountedFor() {
        user.begin(1_500);
        // Ran at 1,600, connected until 2,000.
        user.add(2_000, sent(2_000, 3_000, 400));
        user.pause(4_000);
        user.add(4_000, sent(4_100, 5_000, 0));
        // The client was busy for 100.
        user.add(5_100, sent(5_100, 6_000, 0));
        user.add(6_500, sent(6_500, 7_000, 500));

        UsersTime time = user.over(START, END);

        expectWhole(time);
        assertThat(time.users()).isEqualTo(1);
        assertThat(time.tookPart()).isEqualTo(1);
        assertThat(time.ramping()).isEqualTo(nanos(500));
        assertThat(time.unscheduled()).isEqualTo(nanos(100));
        assertThat(time.firstConnecting()).isEqualTo(nanos(400));
        assertThat(time.responding()).isEqualTo(nanos(1_000 + 1_000 + 900 + 500));
        assertThat(time.pausing()).isEqualTo(nanos(1_000));
        assertThat(time.connecting()).isEqualTo(nanos(500));
        assertThat(time.missing()).isEqualTo(nanos(100));
        assertThat(time.done()).isEqualTo(nanos(4_000));
        assertThat(time.accounted()).isCloseTo(4_900 / 5_500.0, within(1e-9));
    }

    @Test
    void aUserThatNeverRanTookNoPart() {
        user.begin(START);

        UsersTime time = user.over(START, END);

        expectWhole(time);
        assertThat(time.tookPart()).isZero();
        assertThat(time.unscheduled()).isEqualTo(time.total());
    }

    @Test
    void aUserThatNeverConnectedTookNoPart() {
        user.begin(START);
        user.add(START, Exchanges.of(START, END, Outcome.NoResponse.CONNECT_TIMEOUT, 0, 0, false));

        assertThat(user.over(START, END).tookPart()).isZero();
    }

    @Test
    void waitingToConnectCountsAsRamp() {
        UserTime paced = new UserTime(true);
        paced.begin(START);
        paced.add(5_000, sent(5_000, END, 1_000));

        UsersTime time = paced.over(START, END);

        expectWhole(time);
        assertThat(time.ramping()).isEqualTo(nanos(3_000));
        assertThat(time.firstConnecting()).isEqualTo(nanos(1_000));
    }

    @Test
    void aUserDueAfterThePlannedEndIsNotMissedIfRequestsTookLonger() {
        user.begin(END - 500);
        user.notDue();

        UsersTime time = user.over(START, END);

        expectWhole(time);
        assertThat(time.users()).isZero();
        assertThat(time.unscheduled()).isZero();
    }

    @Test
    void aUserDueAfterTheEndHadNoTime() {
        user.begin(END + 500);

        UsersTime time = user.over(START, END);

        expectWhole(time);
        assertThat(time.users()).as("users that were due").isZero();
        assertThat(time.ramping()).isEqualTo(time.total());
        assertThat(time.accounted()).isZero();
    }

    @Test
    void aPauseThatEndsBeforeTheUserIsFreeDoesNotCount() {
        user.begin(START);
        user.add(START, sent(START, 5_000, 0));
        user.pause(3_000);
        user.pause(5_000);

        UsersTime time = user.over(START, END);

        expectWhole(time);
        assertThat(time.pausing()).isZero();
        assertThat(time.done()).isEqualTo(nanos(6_000));
    }
}
