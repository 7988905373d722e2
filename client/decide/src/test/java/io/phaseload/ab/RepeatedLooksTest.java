package io.phaseload.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.stats.StudentT;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RepeatedLooksTest {

    @Test
    void aSingleLookHasTheWholeError() {
        assertThat(new RepeatedLooks(0.05).look(10, 1)).isCloseTo(0.05, within(1e-4));
    }

    /** Kim and DeMets' function with power 2 at five equal looks; the final level by independent simulation. */
    @Test
    void theErrorOfAllLooksTogetherIsTheWholeError() {
        RepeatedLooks looks = new RepeatedLooks(0.05);
        double[] levels = new double[21];
        for (int n = 1; n <= 20; n++) {
            levels[n] = looks.look(n, n / 20.0);
        }
        Random random = new Random(1);
        int outside = 0;
        int times = 100_000;
        double[] bounds = new double[21];
        for (int n = 1; n <= 20; n++) {
            bounds[n] = StudentT.factor(Double.POSITIVE_INFINITY, 1 - levels[n]) * Math.sqrt(n);
        }
        for (int i = 0; i < times; i++) {
            double sum = 0;
            boolean left = false;
            for (int n = 1; n <= 20; n++) {
                sum += random.nextGaussian();
                left |= Math.abs(sum) > bounds[n];
            }
            outside += left ? 1 : 0;
        }
        assertThat(100.0 * outside / times).isCloseTo(5, within(0.25));
    }

    @Test
    void unevenLooksSpendNoMore() {
        RepeatedLooks looks = new RepeatedLooks(0.05);
        assertThat(looks.look(3, 0.1)).isCloseTo(0.0005, within(1e-5));
        assertThat(looks.look(10, 0.5)).isBetween(0.012, 0.0125);
        assertThat(looks.look(11, 0.5)).as("no time has passed").isLessThan(1e-4);
        assertThat(looks.look(20, 1)).isBetween(0.0375, 0.05);
    }
}
