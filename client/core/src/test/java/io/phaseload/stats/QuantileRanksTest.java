package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantileRanksTest {

    /** Those of p99 to p99.99 are in Lancet's paper by its formula. */
    @ParameterizedTest
    @CsvSource({"0.5, 8", "0.95, 110", "0.99, 563", "0.999, 5662", "0.9999, 56647"})
    void leastSamplesAreTheFirstThatBoundAQuantile(double p, long least) {
        assertThat(QuantileRanks.leastSamples(p)).isEqualTo(least);
        assertThat(QuantileRanks.of(p, least)).isPresent();
        assertThat(QuantileRanks.of(p, least - 1)).isEmpty();
    }

    /** 1000 · 0.9 = 900, ± 1.96 · √90 = 18.59. */
    @Test
    void ranksAreAroundTheQuantile() {
        assertThat(QuantileRanks.of(0.9, 1000)).hasValue(new QuantileRanks(0.881, 0.92));
    }

    @Test
    void aLowQuantileNeedsALowerBound() {
        assertThat(QuantileRanks.of(0.01, 300)).isEmpty();
        assertThat(QuantileRanks.of(0.01, 600)).isPresent();
    }

    /** 1 − 0.99³⁶⁸ is just above 0.975. */
    @Test
    void theLongestOfEnoughSamplesBoundsAHighQuantile() {
        assertThat(QuantileRanks.interval(0.99, 368, 1.96, 0.95, part -> part).high())
                .isEqualTo(1);
        assertThat(QuantileRanks.interval(0.99, 367, 1.96, 0.95, part -> part).high())
                .isInfinite();
        assertThat(QuantileRanks.interval(0.99, 1_000, 1.96, 0.95, part -> part).high())
                .isLessThan(1);
    }

    @Test
    void coversTheTrueQuantileIn95Of100Cases() {
        Random random = new Random(1);
        int n = 1_000;
        QuantileRanks ranks = QuantileRanks.of(0.95, n).orElseThrow();
        int covered = 0;
        for (int i = 0; i < 2_000; i++) {
            double[] sorted = random.doubles(n).sorted().toArray();
            double low = sorted[(int) Math.round(ranks.low() * n) - 1];
            double high = sorted[(int) Math.round(ranks.high() * n) - 1];
            covered += low <= 0.95 && 0.95 <= high ? 1 : 0;
        }
        assertThat(covered / 2_000.0).isBetween(0.94, 0.98);
        assertThat(Arrays.asList(ranks.low(), ranks.high())).isSorted();
    }
}
