package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

public class UsersTimeTest {

    /** 100 s of each user: 40 + 3 + 2 of work, 10 + 15 when it had none, 4 + 1 at first; 25 more. */
    public static UsersTime usersTime(int users) {
        return new UsersTime(
                users,
                users - 1,
                seconds(users * 100),
                seconds(users * 40),
                seconds(users * 3),
                seconds(users * 2),
                seconds(users * 10),
                seconds(users * 15),
                seconds(users * 4),
                seconds(users));
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void unaccountedTimeIsMissing() {
        UsersTime time = usersTime(8);

        assertThat(time.missing()).isEqualTo(seconds(200));
        assertThat(time.share(time.missing())).isCloseTo(25 / 75.0, within(1e-12));
        assertThat(time.accounted()).isCloseTo(45 / 75.0, within(1e-12));
    }

    @Test
    void missingTimeIsNeverNegative() {
        Duration none = Duration.ZERO;
        UsersTime time = new UsersTime(1, 1, seconds(10), seconds(11), none, none, none, none, none, none);

        assertThat(time.missing()).isZero();
        assertThat(time.accounted()).isCloseTo(1.1, within(1e-12));
    }

    @Test
    void idleUsersHaveNoShares() {
        Duration none = Duration.ZERO;
        UsersTime time = new UsersTime(1, 0, seconds(10), none, none, none, seconds(4), seconds(6), none, none);

        assertThat(time.share(seconds(1))).isZero();
    }

    @Test
    void timesOfUsersAddUp() {
        UsersTime both = usersTime(2).plus(usersTime(6));

        assertThat(both.tookPart()).isEqualTo(6);
        assertThat(both.missing()).isEqualTo(usersTime(8).missing());
        assertThat(both.accounted()).isEqualTo(usersTime(8).accounted());
        assertThat(both.total()).isEqualTo(usersTime(8).total());
        assertThat(both.users()).isEqualTo(8);
    }
}
