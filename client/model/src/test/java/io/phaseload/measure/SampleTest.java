package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void aConnectionThatWasThereTookNoTime() {
        assertThat(Exchanges.of(0, 9, Outcome.SUCCESS, 0, 0, false).setUpNanos())
                .isZero();
        assertThat(Exchanges.of(0, 9, Outcome.SUCCESS, 0, 100, false).setUpNanos())
                .isEqualTo(100);
        assertThat(new Exchange.SetUp(3, 4, -1).nanos()).isEqualTo(7);
    }

    /** {@code System.nanoTime()} may pass the largest long in the middle of a request. */
    @Test
    void timesSurviveAnOverflowOfTheClock() {
        long intended = Long.MAX_VALUE - 1;
        Exchange exchange = Exchanges.of(intended + 5, intended + 12, Outcome.SUCCESS, 0, 0, false);

        Sample sample = new Sample(0, intended, exchange);

        assertThat(sample.slipNanos()).isEqualTo(5);
        assertThat(sample.serviceNanos()).isEqualTo(7);
        assertThat(sample.responseNanos()).isEqualTo(12);
    }
}
