package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Reachability.Backoff;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReachabilityTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Exchange REFUSED =
            Exchanges.of(0, 1, new Outcome.ConnectRefused(), 0, 0, false);
    private static final Exchange ANSWERED =
            Exchanges.of(0, 1, new Outcome.HttpFailure(503), 100, 1, false);
    private static final Exchange NO_FILE =
            Exchanges.of(0, 1, new Outcome.ClientFault("too many open files", ""), 0, 0, false);

    private final Reachability target = new Reachability(false, 0);

    @Test
    void eachFailureDoublesThePauseUpToASecond() {
        Backoff user = target.new Backoff(true);

        assertThat(LongStream.range(0, 10).map(i -> user.after(REFUSED) / 1_000_000))
                .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L, 1_000L);
        assertThat(user.after(ANSWERED)).isZero();
        assertThat(user.after(REFUSED)).isEqualTo(10_000_000);
    }

    @Test
    void anOpenLoadGoesOnOnceTheTargetWasReached() {
        Backoff user = target.new Backoff(false);

        assertThat(user.after(REFUSED)).isPositive();
        assertThat(target.new Backoff(true).after(ANSWERED)).isZero();
        assertThat(user.after(REFUSED)).isZero();
    }

    @Test
    void aTargetThatWasNeverReachedIsGivenUp() {
        assertThat(target.givesUp(6 * SECOND)).as("before anything failed").isFalse();
        target.new Backoff(true).after(REFUSED);

        assertThat(target.givesUp(5 * SECOND - 1)).isFalse();
        assertThat(target.reasonToStop()).isEqualTo("interrupted");
        assertThat(target.givesUp(5 * SECOND)).isTrue();
        assertThat(target.reasonToStop()).isEqualTo("target unreachable");
    }

    @Test
    void aTargetThatWasReachedOnceIsNotGivenUp() {
        target.new Backoff(true).after(ANSWERED);
        target.new Backoff(true).after(REFUSED);

        assertThat(target.givesUp(60 * SECOND)).isFalse();
    }

    @Test
    void whatTheClientCantDoTellsNothingOfTheTarget() {
        assertThat(target.new Backoff(true).after(NO_FILE)).isZero();
        assertThat(target.givesUp(60 * SECOND)).isFalse();
        target.new Backoff(true).after(REFUSED);
        assertThat(target.givesUp(60 * SECOND)).isTrue();
    }

    @Test
    void whoKeepsGoingGivesNothingUp() {
        Reachability kept = new Reachability(true, 0);
        kept.new Backoff(true).after(REFUSED);

        assertThat(kept.givesUp(60 * SECOND)).isFalse();
    }
}
