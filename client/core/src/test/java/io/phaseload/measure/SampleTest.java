package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleTest {

    /** {@code System.nanoTime()} may pass the largest long in the middle of a request. */
    @Test
    void responseIsSlipAndServiceAcrossTheClocksOverflow() {
        long intended = Long.MAX_VALUE - 1;
        Exchange exchange = Exchanges.of(intended + 5, intended + 12, Outcome.SUCCESS, 0, 0, false);

        Sample sample = new Sample(0, intended, exchange);

        assertThat(sample.slipNanos()).isEqualTo(5);
        assertThat(sample.serviceNanos()).isEqualTo(7);
        assertThat(sample.responseNanos()).isEqualTo(12);
    }
}
