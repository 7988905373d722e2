package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordedValuesTest {

    private static final double[] PERCENTILES = {0, 1e-9, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};

    @Test
    void haveTheFiguresOfTheHistogram() {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            Histogram times = new Histogram(1, 3_600_000_000_000L, 3);
            double scale = Math.exp(28 * random.nextDouble());
            for (int k = random.nextInt(1_000); k >= 0; k--) {
                times.recordValue(
                        Math.min((long) (scale * Math.exp(random.nextGaussian())), times.getHighestTrackableValue()));
            }
            if (i % 2 == 0) {
                times.recordValueWithCount(0, i);
            }

            RecordedValues recorded = RecordedValues.of(times);

            assertThat(recorded.total()).isEqualTo(times.getTotalCount());
            assertThat(recorded.mean()).isEqualTo(times.getMean());
            assertThat(recorded.deviation()).isEqualTo(times.getStdDeviation());
            for (double percentile : PERCENTILES) {
                assertSame(times, recorded, percentile);
                assertSame(times, recorded, 100 * random.nextDouble());
                // At the rank of a sample, where rounding decides.
                assertSame(times, recorded, 100.0 * random.nextInt(1_000) / times.getTotalCount());
                long value = times.getValueAtPercentile(100 * random.nextDouble());
                assertSame(times, recorded, value, times.getMaxValue());
                assertSame(times, recorded, times.nextNonEquivalentValue(value / 2), Math.max(value, 1) - 1);
                assertSame(times, recorded, value, value + random.nextInt(1_000_000));
            }
        }
    }

    private static void assertSame(Histogram times, RecordedValues recorded, double percentile) {
        assertThat(recorded.atPercentile(percentile))
                .as("%s %% of %s", percentile, times.getTotalCount())
                .isEqualTo(times.getValueAtPercentile(percentile));
    }

    private static void assertSame(Histogram times, RecordedValues recorded, long low, long high) {
        assertThat(recorded.countBetween(low, high))
                .as("from %s to %s of %s", low, high, times.getTotalCount())
                .isEqualTo(times.getCountBetweenValues(low, high));
    }

    @Test
    void ofNoTimesAre0() {
        RecordedValues none = RecordedValues.of(new Histogram(1, 3_600_000_000_000L, 3));
        assertThat(none.total()).isZero();
        assertThat(none.mean()).isZero();
        assertThat(none.deviation()).isZero();
        assertThat(none.atPercentile(50)).isZero();
        assertThat(none.countBetween(0, 1_000)).isZero();
    }
}
