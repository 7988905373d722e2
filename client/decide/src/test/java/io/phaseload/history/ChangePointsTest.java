package io.phaseload.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeded histories; {@code docs/history.md} has a table of the same kind. */
class ChangePointsTest {

    private static final int HISTORIES = 200;
    private static final int LEAST = 3;

    private enum Noise {
        NORMAL(random -> random.nextGaussian()),
        /** One run in ten is slower by up to ten standard deviations. */
        OUTLIERS(random -> random.nextGaussian() + (random.nextInt(10) == 0 ? 10 * random.nextDouble() : 0)),
        /** Two kinds of runs. */
        BIMODAL(random -> 0.3 * random.nextGaussian() + (random.nextBoolean() ? 1 : -1));

        private final Function<Random, Double> value;

        Noise(Function<Random, Double> value) {
            this.value = value;
        }

        double[] history(int runs, long seed) {
            Random random = new Random(seed);
            return random.doubles(runs).map(any -> value.apply(random)).toArray();
        }
    }

    @Test
    void stepsAreFoundWhereTheyAre() {
        double[] values = new double[60];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i < 20 ? 1 : i < 45 ? 2 : 1.5) + 0.1 * Math.sin(17 * i);
        }
        assertThat(ChangePoints.of(values, LEAST, 1)).containsExactly(20, 45);
    }

    @Test
    void constantAndShortSeriesHaveNone() {
        assertThat(ChangePoints.of(new double[50], LEAST, 1)).isEmpty();
        assertThat(ChangePoints.of(new double[0], LEAST, 1)).isEmpty();
        // Too few for any outcome to be rarer than one in a hundred.
        assertThat(ChangePoints.of(new double[] {1, 1, 1, 2, 2, 2}, LEAST, 1)).isEmpty();
    }

    /** Of 200 histories, 2 may have one; up to 6 have with a probability of 99.5 %. */
    @ParameterizedTest
    @CsvSource({"NORMAL, 20", "NORMAL, 60", "OUTLIERS, 60", "BIMODAL, 60"})
    void unchangedHistoriesHaveFewFalseAlarms(Noise noise, int runs) {
        long found = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            found += ChangePoints.of(noise.history(runs, seed), LEAST, seed).isEmpty() ? 0 : 1;
        }
        assertThat(found).isLessThanOrEqualTo(6);
    }

    /** A step in standard deviations of the noise, with that many runs after it. */
    @ParameterizedTest
    @CsvSource({"NORMAL, 2, 10, 0.9", "NORMAL, 3, 5, 0.9", "NORMAL, 1, 30, 0.4", "OUTLIERS, 3, 10, 0.9"})
    void stepsAreFound(Noise noise, double step, int after, double share) {
        int near = 0;
        for (int seed = 0; seed < 100; seed++) {
            double[] values = noise.history(30 + after, seed);
            for (int i = 30; i < values.length; i++) {
                values[i] += step;
            }
            List<Integer> changes = ChangePoints.of(values, LEAST, seed);
            near += changes.stream().anyMatch(at -> Math.abs(at - 30) <= 5) ? 1 : 0;
        }
        assertThat(near / 100.0).isGreaterThanOrEqualTo(share);
    }

    @Test
    void theSameSeedHasTheSameOutcome() {
        double[] values = Noise.NORMAL.history(60, 5);
        assertThat(ChangePoints.of(values, LEAST, 7)).isEqualTo(ChangePoints.of(values, LEAST, 7));
    }
}
