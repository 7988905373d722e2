package io.phaseload.stats.series;

import static io.phaseload.stats.series.SlopeTest.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class LowsTest {

    @Test
    void eachCycleHasOneLow() {
        // 3,600 s, with a collection each minute: the first cycle has no high before it, the last one no rise after it.
        Lows lows = lows(i -> 200 + 300.0 * (i % 60) / 60, 3_600, 1);
        assertThat(lows.cycles()).isBetween(58, 59);
        assertThat(lows.values()).allSatisfy(low -> assertThat(low).isBetween(190.0, 210.0));
        assertThat(lows.slope().orElseThrow().isCertain()).isFalse();
    }

    @Test
    void aLeakUnderASawtooth() {
        Lows lows = lows(i -> 200 + 0.02 * i + 300.0 * (i % 60) / 60, 3_600, 1);
        assertThat(lows.cycles()).isBetween(58, 59);
        assertThat(lows.slope()).hasValueSatisfying(slope -> {
            assertThat(slope.perUnit()).isCloseTo(0.02, within(0.001));
            assertThat(slope.isCertain()).isTrue();
        });
    }

    @Test
    void aStraightLeakHasNoCycles() {
        Lows lows = lows(i -> 200 + 0.02 * i, 3_600, 0);
        assertThat(lows.cycles()).isZero();
        assertThat(lows.values()).hasSize(16);
        assertThat(lows.slope().orElseThrow().perUnit()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void threeLongCyclesAreNoSlope() {
        Lows lows = lows(i -> 200 + 300.0 * (i % 1_200) / 1_200, 3_600, 2);
        assertThat(lows.cycles()).isEqualTo(2);
        assertThat(lows.slope().orElseThrow().isCertain()).isFalse();
    }

    @Test
    void nothingHasNoLows() {
        assertThat(Lows.of(new double[0], new double[0])).isEqualTo(lows(i -> 0, 0, 0));
        assertThat(lows(i -> 5, 100, 0).slope())
                .hasValueSatisfying(slope -> assertThat(slope.perUnit()).isZero());
    }

    private static Lows lows(IntToDoubleFunction level, int n, double noise) {
        Random random = new Random(1);
        double[] values = new double[n];
        Arrays.setAll(values, i -> level.applyAsDouble(i) + noise * random.nextGaussian());
        return Lows.of(upTo(n), values);
    }
}
