package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes users send, and the pauses of it. */
class LoadTest {

    private static final Pause SECOND = Pause.of(Duration.ofSeconds(1));

    @Test
    void aFixedPauseHasOneLength() {
        assertThat(SECOND.min()).isEqualTo(SECOND.max()).hasSeconds(1);
        assertThat(SECOND.isNone()).isFalse();
    }

    @Test
    void aPauseOfZeroIsNoPause() {
        assertThat(Pause.of(Duration.ZERO)).isEqualTo(Pause.NONE);
        assertThat(Pause.NONE.isNone()).isTrue();
        assertThat(new Pause(Duration.ZERO, Duration.ofNanos(1)).isNone()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"PT-1S, PT1S", "PT2S, PT1S", "PT-2S, PT-1S", "PT0S, PT-1S"})
    void anInvertedRangeOfPausesIsRejected(Duration min, Duration max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pause(min, max))
                .withMessage("pause %s..%s: expected 0 or more, the shorter one first", min, max);
    }

    @Test
    void aPauseLastsThirtyDaysAtMost() {
        assertThat(Pause.of(Duration.ofDays(30)).max()).hasDays(30);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pause(Duration.ZERO, Duration.ofDays(30).plusNanos(1)))
                .withMessage("pause PT720H0.000000001S: expected more than 0 and at most 30 days");
    }

    @Test
    void thinkTimeAndPacingExcludeEachOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Load.Closed(SECOND, SECOND, Duration.ZERO))
                .withMessageContaining("cannot be combined with pacing");
        assertThat(new Load.Closed(SECOND, Pause.NONE, Duration.ZERO).think()).isEqualTo(SECOND);
        assertThat(new Load.Closed(Pause.NONE, SECOND, Duration.ZERO).pacing()).isEqualTo(SECOND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT720H0.000000001S"})
    void aRampOutOfRangeIsRejected(Duration ramp) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Load.Closed(Pause.NONE, Pause.NONE, ramp))
                .withMessage("ramp %s: expected more than 0 and at most 30 days", ramp);
    }

    @Test
    void theDefaultIsAClosedModelWithoutPauses() {
        PhaseLength once = new PhaseLength.Iterations(1);
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(1)), Load.Overload.DROP);

        assertThat(new Phase("a", 1, once).load()).isSameAs(Load.Closed.AT_ONCE);
        assertThat(Phase.fourPhases(once)).extracting(Phase::load).containsOnly(Load.Closed.AT_ONCE);
        assertThat(new Phase("a", 1, once, open).load()).isSameAs(open);
        assertThat(Load.Closed.AT_ONCE).isEqualTo(new Load.Closed(Pause.NONE, Pause.NONE, Duration.ZERO));
    }
}
