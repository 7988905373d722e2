package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.schedule.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectPaceTest {

    /** A third of a second, rounded up. */
    private static final long GAP = 333_333_334;

    private final ConnectPace pace = new ConnectPace(Rate.perSecond(3));

    @Test
    void turnsAreSpacedEvenly() {
        assertThat(pace.next(-500)).as("the first, at once").isEqualTo(-500);
        assertThat(pace.next(-500)).isEqualTo(GAP - 500);
        assertThat(pace.next(-490)).isEqualTo(2 * GAP - 500);
        assertThat(pace.next(3 * GAP - 501)).isEqualTo(3 * GAP - 500);
    }

    @Test
    void unusedTurnsAreNotMadeUpFor() {
        pace.next(0);

        assertThat(pace.next(GAP)).isEqualTo(GAP);
        assertThat(pace.next(9 * GAP)).isEqualTo(9 * GAP);
        assertThat(pace.next(9 * GAP)).isEqualTo(10 * GAP);
    }

    @Test
    void aWholeGapIsNotRoundedUp() {
        ConnectPace whole = new ConnectPace(new Rate(4, Duration.ofSeconds(1)));
        whole.next(0);

        assertThat(whole.next(0)).isEqualTo(250_000_000);
    }
}
