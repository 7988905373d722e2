package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimerLeadTest {

    private final TimerLead lead = new TimerLead();

    private void wake(int times, long lateNanos) {
        for (int i = 0; i < times; i++) {
            lead.woke(lateNanos);
        }
    }

    @Test
    void itIsTheUsualLateness() {
        assertThat(lead.nanos()).isZero();

        wake(100, 60_000);

        assertThat(lead.nanos()).isBetween(59_000L, 60_000L);
    }

    @Test
    void aStalledClientDoesNotSpinForLong() {
        wake(100, 20_000_000);

        assertThat(lead.nanos()).isLessThanOrEqualTo(100_000);
    }

    @Test
    void timersThatAreInTimeNeedNone() {
        wake(100, 60_000);
        wake(100, -1_000);

        assertThat(lead.nanos()).isLessThan(1_000);
    }
}
