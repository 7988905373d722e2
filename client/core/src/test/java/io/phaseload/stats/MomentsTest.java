package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MomentsTest {

    @Test
    void areThoseOfTheHistogram() {
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

            assertThat(Moments.of(times)).isEqualTo(new Moments(times.getMean(), times.getStdDeviation()));
            assertThat(Moments.mean(times)).isEqualTo(times.getMean());
        }
    }

    @Test
    void ofNoTimesAre0() {
        assertThat(Moments.of(new Histogram(1, 3_600_000_000_000L, 3))).isEqualTo(new Moments(0, 0));
        assertThat(Moments.mean(new Histogram(1, 3_600_000_000_000L, 3))).isZero();
    }
}
