package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReachabilityTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Exchange REFUSED = Exchanges.of(0, 1, Outcome.NoResponse.CONNECT_REFUSED, 0, 0, false);
    private static final Exchange ANSWERED = Exchanges.of(0, 1, new Outcome.HttpFailure(503), 100, 1, false);
    private static final Exchange NO_FILE =
            Exchanges.of(0, 1, new Outcome.ClientFault("too many open files", ""), 0, 0, false);

    private static final long NEVER = Long.MAX_VALUE / 2;

    private final Reachability target = new Reachability(false);

    @Test
    void backoffDoublesUpToASecond() {
        Backoff user = target.newBackoff(true, NEVER);

        assertThat(LongStream.range(0, 10).map(i -> pause(user, REFUSED) / 1_000_000))
                .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L, 1_000L);
        assertThat(pause(user, ANSWERED)).isZero();
        assertThat(pause(user, REFUSED)).isEqualTo(10_000_000);
    }

    @Test
    void anOpenLoadGoesOnOnceTheTargetWasReached() {
        Backoff user = target.newBackoff(false, NEVER);

        assertThat(pause(user, REFUSED)).isPositive();
        assertThat(pause(target.newBackoff(true, NEVER), ANSWERED)).isZero();
        assertThat(pause(user, REFUSED)).isZero();
    }

    @Test
    void aTargetThatWasNeverReachedIsGivenUp() {
        assertThat(target.givesUp(6 * SECOND)).as("before anything failed").isFalse();
        target.newBackoff(true, NEVER).until(REFUSED);

        assertThat(target.givesUp(5 * SECOND - 1)).isFalse();
        assertThat(target.gaveUp()).isFalse();
        assertThat(target.givesUp(5 * SECOND)).isTrue();
        assertThat(target.gaveUp()).isTrue();
    }

    @Test
    void aTargetThatWasReachedOnceIsNotGivenUp() {
        target.newBackoff(true, NEVER).until(ANSWERED);
        target.newBackoff(true, NEVER).until(REFUSED);

        assertThat(target.givesUp(60 * SECOND)).isFalse();
    }

    @Test
    void clientFaultsSayNothingAboutTheTarget() {
        assertThat(pause(target.newBackoff(true, NEVER), NO_FILE)).isZero();
        assertThat(target.givesUp(60 * SECOND)).isFalse();
        target.newBackoff(true, NEVER).until(REFUSED);
        assertThat(target.givesUp(60 * SECOND)).isTrue();
    }

    @Test
    void keepGoingNeverGivesUp() {
        Reachability kept = new Reachability(true);
        kept.newBackoff(true, NEVER).until(REFUSED);

        assertThat(kept.givesUp(60 * SECOND)).isFalse();
    }

    @Test
    void aPauseEndsWithThePhase() {
        Backoff user = target.newBackoff(true, 10_000_000);

        assertThat(user.until(REFUSED)).isEqualTo(10_000_000);
        assertThat(target.newBackoff(true, 10_000_002).until(REFUSED)).isEqualTo(10_000_001);
    }

    private static long pause(Backoff user, Exchange last) {
        return user.until(last) - last.endNanos();
    }
}
