package io.phaseload.stats.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlopeTest {

    @Test
    void needsEightPoints() {
        assertThat(Slope.of(upTo(7), upTo(7))).isEmpty();
        assertThat(Slope.of(upTo(8), upTo(8))).isPresent();
        assertThat(Slope.of(new double[0], new double[0])).isEmpty();
        assertThatThrownBy(() -> Slope.of(upTo(8), upTo(9))).hasMessage("9 values: expected 8");
    }

    @Test
    void aStraightLineIsCertain() {
        double[] at = {0, 1, 2, 4, 5, 7, 8, 9, 10, 12};
        double[] values = Arrays.stream(at).map(x -> 3 - 2 * x).toArray();
        assertThat(Slope.of(at, values)).hasValueSatisfying(slope -> {
            assertThat(slope.perUnit()).isEqualTo(-2);
            assertThat(slope.low()).isEqualTo(-2);
            assertThat(slope.high()).isEqualTo(-2);
            assertThat(slope.first()).isEqualTo(3);
            assertThat(slope.last()).isEqualTo(-21);
            assertThat(slope.isCertain()).isTrue();
        });
    }

    /** {@code scipy.stats.theilslopes} has the same slope; its interval ignores that neighbours are alike. */
    @Test
    void outliersHardlyChangeIt() {
        double[] values = upTo(40);
        values[3] = 1_000;
        values[39] = -500;
        assertThat(Slope.of(upTo(40), values).orElseThrow().perUnit()).isEqualTo(1);
    }

    @Test
    void thousandsOfPointsAreJoined() {
        Random random = new Random(4);
        double[] values = Arrays.stream(upTo(7_200))
                .map(x -> 10 + 0.001 * x + random.nextGaussian())
                .toArray();
        assertThat(Slope.of(upTo(7_200), values)).hasValueSatisfying(slope -> {
            assertThat(slope.points()).isEqualTo(240);
            assertThat(slope.perUnit()).isCloseTo(0.001, within(0.00002));
            assertThat(slope.first()).isCloseTo(10, within(0.1));
        });
    }

    /**
     * False alarms on autoregressive noise without a slope: at most 5 of 100 as long as neighbours correlate by less
     * than 0.6. With the uncorrected interval, they would be 30 of 100 at 0.6 and 61 at 0.9.
     */
    @ParameterizedTest
    @CsvSource({"60, 0.0, 6", "60, 0.3, 6", "60, 0.6, 6", "60, 0.9, 8", "240, 0.9, 6", "20, 0.6, 8"})
    void noiseHasNoSlope(int points, double correlation, int percent) {
        Random random = new Random(11);
        long alarms = IntStream.range(0, 300)
                .filter(run -> Slope.of(upTo(points), noise(random, points, correlation))
                        .orElseThrow()
                        .isCertain())
                .count();
        assertThat(alarms / 3.0).isLessThanOrEqualTo(percent);
    }

    @ParameterizedTest
    @CsvSource({"60, 0.0", "60, 0.6", "20, 0.3"})
    void theIntervalHasTheTrueSlope(int points, double correlation) {
        Random random = new Random(12);
        long within = IntStream.range(0, 300)
                .filter(run -> {
                    double[] values = noise(random, points, correlation);
                    Arrays.setAll(values, i -> values[i] + 0.2 * i);
                    Slope slope = Slope.of(upTo(points), values).orElseThrow();
                    return slope.low() <= 0.2 && 0.2 <= slope.high();
                })
                .count();
        assertThat(within / 3.0).isGreaterThanOrEqualTo(93);
    }

    @Test
    void aWiderIntervalOfAGreaterCoverage() {
        double[] values = noise(new Random(3), 60, 0.3);
        Slope usual = Slope.of(upTo(60), values).orElseThrow();
        Slope wide = Slope.of(upTo(60), values, 0.999).orElseThrow();
        assertThat(wide.low()).isLessThan(usual.low());
        assertThat(wide.high()).isGreaterThan(usual.high());
    }

    /** Half of the points at one level, half at another one: there is no telling a step from a slope. */
    @Test
    void aStepIsNotCertain() {
        double[] values = noise(new Random(5), 120, 0);
        Arrays.setAll(values, i -> values[i] + (i < 60 ? 0 : 10));
        assertThat(Slope.of(upTo(120), values).orElseThrow().isCertain()).isFalse();
    }

    @Test
    void aConstantIsCertainlyZero() {
        assertThat(Slope.of(upTo(30), new double[30])).hasValueSatisfying(slope -> {
            assertThat(slope.low()).isZero();
            assertThat(slope.high()).isZero();
            assertThat(slope.isCertain()).isFalse();
        });
    }

    static double[] upTo(int n) {
        return IntStream.range(0, n).asDoubleStream().toArray();
    }

    static double[] noise(Random random, int n, double correlation) {
        double[] noise = new double[n];
        double x = random.nextGaussian() / Math.sqrt(1 - correlation * correlation);
        for (int i = 0; i < n; i++) {
            x = correlation * x + random.nextGaussian();
            noise[i] = x;
        }
        return noise;
    }
}
