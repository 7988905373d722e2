package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchMeansTest {

    @Test
    void needsTenIntervals() {
        assertThat(BatchMeans.of(new double[9], ones(9))).isEmpty();
        assertThat(BatchMeans.of(new double[10], ones(10))).isPresent();
    }

    @Test
    void ignoresIntervalsWithoutWeight() {
        double[] weights = ones(10);
        weights[3] = 0;
        assertThat(BatchMeans.of(new double[10], weights)).isEmpty();
        // Its sum doesn't count either.
        double[] sums = new double[11];
        sums[0] = 1_000;
        weights = ones(11);
        weights[0] = 0;
        assertThat(BatchMeans.of(sums, weights)).hasValue(new BatchMeans(0, 0, 10));
    }

    @Test
    void needsAWeightForEachSum() {
        assertThatThrownBy(() -> BatchMeans.of(new double[10], ones(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("11 weights: expected 10");
    }

    /** Of 1 to 10: mean 5.5, standard deviation 3.02765 (n − 1), by √10. */
    @Test
    void tenIntervalsAreNotJoined() {
        double[] values = {7, 2, 10, 1, 5, 3, 9, 4, 8, 6};
        assertThat(BatchMeans.of(values, ones(10))).hasValueSatisfying(mean -> {
            assertThat(mean.mean()).isEqualTo(5.5);
            assertThat(mean.standardError()).isCloseTo(0.957427107756338, within(1e-12));
            assertThat(mean.batches()).isEqualTo(10);
        });
    }

    /** Ten of one value, ten of another: each second tells no more than its neighbour did. */
    @Test
    void joinsNeighboursThatAreAlike() {
        double[] values = new double[40];
        double[] pattern = {7, 2, 10, 1, 5, 3, 9, 4, 8, 6};
        for (int i = 0; i < 40; i++) {
            values[i] = pattern[i / 4];
        }
        BatchMeans mean = BatchMeans.of(values, ones(40)).orElseThrow();
        assertThat(mean.batches()).isEqualTo(10);
        assertThat(mean.standardError()).isCloseTo(0.957427107756338, within(1e-12));
    }

    @Test
    void anOddBatchIsNotLost() {
        double[] values = new double[47];
        Arrays.setAll(values, i -> i);
        BatchMeans mean = BatchMeans.of(values, ones(47)).orElseThrow();
        assertThat(mean.mean()).isEqualTo(23);
        // A trend: the longest batches have the greatest dispersion.
        assertThat(mean.batches()).isEqualTo(11);
        assertThat(mean.standardError()).isCloseTo(4.270133786, within(1e-6));
    }

    @Test
    void independentSamplesCountNearlyInFull() {
        Random random = new Random(2);
        double[] failed = new double[60];
        double[] requests = new double[60];
        long all = 0;
        for (int i = 0; i < 60; i++) {
            requests[i] = 500 + random.nextInt(1_000);
            failed[i] = random.doubles((long) requests[i]).filter(x -> x < 0.1).count();
            all += (long) requests[i];
        }
        BatchMeans part = BatchMeans.of(failed, requests).orElseThrow();
        assertThat(part.effectiveSamples(part.mean() * (1 - part.mean()), all)).isBetween(all / 3, all);
    }

    /**
     * Of x(i) = φ·x(i−1) + noise, the mean's standard error is √((1 + φ)/(1 − φ)) times that of independent values (Law
     * and Kelton: Simulation Modeling and Analysis): 3 times for φ = 0.8.
     */
    @Test
    void autocorrelatedSamplesCountForLess() {
        Random random = new Random(3);
        double[] values = new double[20_000];
        double x = 0;
        for (int i = 0; i < values.length; i++) {
            x = 0.8 * x + random.nextGaussian();
            values[i] = x;
        }
        double variance = 1 / (1 - 0.8 * 0.8);
        BatchMeans mean = BatchMeans.of(values, ones(values.length)).orElseThrow();
        assertThat(mean.effectiveSamples(variance, values.length))
                .isBetween(values.length / 9L / 4, values.length / 9L * 5 / 4);
    }

    @Test
    void aConstantSeriesHasNoError() {
        BatchMeans mean = BatchMeans.of(new double[20], ones(20)).orElseThrow();
        assertThat(mean.standardError()).isZero();
        assertThat(mean.batches()).isEqualTo(20);
        assertThat(mean.effectiveSamples(0, 1_000)).isEqualTo(1_000);
    }

    /** A standard error of 0.5 is that of 4·σ² samples. */
    @ParameterizedTest
    @CsvSource({"100, 400", "2.5, 10", "250, 1000", "251, 1000", "0.1, 1", "0.25, 1", "0.5, 2"})
    void effectiveSamplesAreVarianceOverSquaredError(double variance, long worth) {
        assertThat(new BatchMeans(3, 0.5, 10).effectiveSamples(variance, 1_000)).isEqualTo(worth);
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }
}
