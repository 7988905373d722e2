package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTest {

    @Test
    void aPercentileNeedsItsMinimumOfSamples() {
        assertThat(millis(562).p99()).isEqualTo(new TooFewSamples(562, 563));
        assertThat(millis(562).p99().value()).isEmpty();
        assertThat(millis(563).p99()).isInstanceOf(Measured.class);
        assertThat(millis(563).p99().value()).hasValue(((Measured) millis(563).p99()).time());
    }

    @Test
    void withoutSamplesThereIsNoValue() {
        Latency none = millis(0);

        assertThat(none.mean()).isEqualTo(new TooFewSamples(0, 1));
        assertThat(none.max()).isEqualTo(none.mean()).isEqualTo(none.min());
        assertThat(none.p99()).isEqualTo(new TooFewSamples(0, 563));
    }

    @Test
    void aValueDescribesItself() {
        Duration time = Duration.ofNanos(67_078_123);

        assertThat(new Measured(time)).hasToString("67.078 ms");
        assertThat(millis(12).p99()).hasToString("n too small: 12 samples, 563 needed");
        assertThat(millis(1).p50()).hasToString("n too small: 1 sample, 8 needed");
    }

    private static Latency millis(int samples) {
        Histogram nanos = new Histogram(3);
        for (int i = 1; i <= samples; i++) {
            nanos.recordValue(i * 1_000_000L);
        }
        return Latency.of(nanos);
    }
}
