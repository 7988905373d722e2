package io.phaseload.measure.times;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MomentsTest {

    @Test
    void areThoseOfTheHistogram() {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            Histogram times = Times.newHistogram();
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
        assertThat(Moments.of(Times.newHistogram())).isEqualTo(new Moments(0, 0));
        assertThat(Moments.mean(Times.newHistogram())).isZero();
    }
}
