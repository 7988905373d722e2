package io.phaseload.stats.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

    @Test
    void needsFortyValues() {
        assertThat(SteadyState.of(new double[39])).isEmpty();
        assertThat(SteadyState.of(new double[40])).hasValue(new SteadyState(true, 0, 40, 0));
    }

    @Test
    void aWarmUpIsCutOff() {
        // Throughput reaches 95 % after 30 s.
        assertThat(reached(i -> 100 * (1 - Math.exp(-i / 10.0)), 300, 5)).isGreaterThanOrEqualTo(99);
        for (int seed = 0; seed < 100; seed++) {
            SteadyState state = SteadyState.of(series(i -> 100 * (1 - Math.exp(-i / 10.0)), 300, 5, seed))
                    .orElseThrow();
            assertThat(state.from()).isBetween(15, 150);
        }
    }

    @Test
    void noiseIsSteadyFromTheStart() {
        assertThat(reached(i -> 100, 300, 10)).isGreaterThanOrEqualTo(95);
        assertThat(reached(i -> 100, 60, 10)).isGreaterThanOrEqualTo(90);
    }

    /** A rise of 30 % over the whole run has no steady part, and one of 0.5 % doesn't matter. */
    @Test
    void aTrendIsNotSteady() {
        assertThat(reached(i -> 100 + 0.1 * i, 300, 3)).isLessThanOrEqualTo(2);
        assertThat(reached(i -> 100 + 0.5 * i / 300, 300, 0.3)).isGreaterThanOrEqualTo(98);
    }

    @Test
    void aChangeNearTheEndIsNotSteady() {
        SteadyState state =
                SteadyState.of(series(i -> i < 240 ? 100 : 150, 300, 3, 1)).orElseThrow();
        assertThat(state.reached()).isFalse();
    }

    @Test
    void theRestBeginsAfterTheWarmUp() {
        SteadyState state =
                SteadyState.of(series(i -> i < 50 ? 10 : 100, 203, 3, 1)).orElseThrow();
        assertThat(state.reached()).isTrue();
        assertThat(state.from()).isBetween(48, 60);
    }

    private static long reached(IntToDoubleFunction level, int n, double noise) {
        return IntStream.range(0, 100)
                .filter(seed -> SteadyState.of(series(level, n, noise, seed))
                        .orElseThrow()
                        .reached())
                .count();
    }

    private static double[] series(IntToDoubleFunction level, int n, double noise, int seed) {
        Random random = new Random(seed);
        double[] series = new double[n];
        Arrays.setAll(series, i -> level.applyAsDouble(i) + noise * random.nextGaussian());
        return series;
    }
}
