package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfidenceIntervalTest {

    /** The d-th lowest and highest; {@code 1 - 2 * scipy.stats.binom.cdf(d - 1, n, 0.5)}. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "2, 1, 0.5",
        "3, 1, 0.75",
        "4, 1, 0.875",
        "5, 1, 0.9375",
        "6, 1, 0.96875",
        "8, 1, 0.9921875",
        "9, 2, 0.9609375",
        "10, 2, 0.978515625",
        "15, 4, 0.96484375",
        "20, 6, 0.9586105346679688",
        "30, 10, 0.9572260547429323"
    })
    void ofTheMedianIsBetweenOrderStatistics(int n, int d, double coverage) {
        double[] values =
                IntStream.rangeClosed(1, n).mapToDouble(i -> n + 1 - i).toArray();
        ConfidenceInterval interval = ConfidenceInterval.ofMedian(values);
        assertThat(interval.low()).isEqualTo(d);
        assertThat(interval.high()).isEqualTo(n + 1 - d);
        assertThat(interval.coverage()).isCloseTo(coverage, within(1e-12));
        assertThat(interval.isCertain()).isEqualTo(n >= 6);
    }

    @Test
    void coversTheMedianAsOftenAsItClaims() {
        Random random = new Random(4);
        int covered = 0;
        for (int i = 0; i < 10_000; i++) {
            // Skewed, with a median of 1.
            double[] trials =
                    random.doubles(9).map(u -> Math.exp(Math.tan(u - 0.5))).toArray();
            ConfidenceInterval interval = ConfidenceInterval.ofMedian(trials);
            covered += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
        }
        assertThat(covered / 10_000.0).isCloseTo(0.9609375, within(0.01));
    }

    @ParameterizedTest
    @CsvSource({"0.95, true", "0.949, false"})
    void isCertainFrom95PercentOn(double coverage, boolean certain) {
        assertThat(new ConfidenceInterval(1, 2, coverage).isCertain()).isEqualTo(certain);
    }

    @Test
    void rejectsNoValues() {
        assertThatThrownBy(ConfidenceInterval::ofMedian).isInstanceOf(IllegalArgumentException.class);
    }
}
