package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.measure.UsersTime;
import io.phaseload.measure.UsersTimeTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The health of two clients, or of one in two stretches of time. */
class ClientHealthTest {

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void stallsAddUpAndKeepTheLongest() {
        Stalls one = new Stalls(2, millis(30), millis(20), millis(5));
        Stalls other = new Stalls(3, millis(40), millis(25), millis(6));
        Stalls both = new Stalls(5, millis(70), millis(25), millis(11));

        assertThat(one.plus(other)).isEqualTo(both);
        assertThat(other.plus(one)).isEqualTo(both);
    }

    @Test
    void keepsTheLongestLag() {
        LoopLag once = LoopLag.NONE.plus(millis(20));
        LoopLag twice = once.plus(millis(10));

        assertThat(once).isEqualTo(new LoopLag(millis(20), millis(20)));
        assertThat(twice).isEqualTo(new LoopLag(millis(30), millis(20)));
        assertThat(twice.plus(millis(21))).isEqualTo(new LoopLag(millis(51), millis(21)));
        assertThat(once.or(twice)).isEqualTo(twice);
        assertThat(twice.or(once)).isEqualTo(twice);
    }

    /** Sums of times; of parts of a machine the worse one; what one doesn't tell is the other's. */
    @Test
    void combinesSystemFigures() {
        SystemUse one = new SystemUse(
                Optional.of(new RunQueueWait(millis(10), 5)),
                Optional.of(0.2),
                Optional.of(0.5),
                Optional.of(millis(3)),
                Optional.empty());
        SystemUse other = new SystemUse(
                Optional.of(new RunQueueWait(millis(20), 7)),
                Optional.of(0.1),
                Optional.of(0.6),
                Optional.of(millis(4)),
                Optional.of(millis(9)));
        SystemUse both = new SystemUse(
                Optional.of(new RunQueueWait(millis(30), 12)),
                Optional.of(0.2),
                Optional.of(0.5),
                Optional.of(millis(7)),
                Optional.of(millis(9)));

        assertThat(one.plus(other)).isEqualTo(both);
        assertThat(other.plus(one)).isEqualTo(both);
        assertThat(one.plus(SystemUse.UNKNOWN)).isEqualTo(one);
        assertThat(SystemUse.UNKNOWN.plus(one)).isEqualTo(one);
    }

    @Test
    void theMeanWaitIsPerTimeSlice() {
        assertThat(new RunQueueWait(millis(30), 12).mean()).isEqualTo(Duration.ofNanos(2_500_000));
        assertThat(new RunQueueWait(Duration.ZERO, 0).mean()).isZero();
    }

    @Test
    void combinesTwoClients() {
        Span span = new Span(millis(1), millis(2));
        Span later = new Span(millis(3), millis(4));
        ClientLoad load = new ClientLoad(millis(10), millis(5), 2, millis(1));
        Stalls stalls = new Stalls(1, millis(6), millis(6), Duration.ZERO);
        LoopLag lag = LoopLag.NONE.plus(millis(11));
        UsersTime users = UsersTimeTest.usersTime(2);
        ClientHealth one = new ClientHealth(load, stalls, SystemUse.UNKNOWN, lag, Optional.empty(), List.of())
                .with(Optional.of(users), List.of(span));
        ClientHealth other = ClientHealth.of(load).with(Optional.empty(), List.of(later));

        assertThat(one.plus(other))
                .isEqualTo(new ClientHealth(
                        load.plus(load), stalls, SystemUse.UNKNOWN, lag, Optional.of(users), List.of(span, later)));
        assertThat(other.plus(one).usersTime()).contains(users);
        assertThat(one.plus(one).usersTime()).contains(users.plus(users));
    }
}
