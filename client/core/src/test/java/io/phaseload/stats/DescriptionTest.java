package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DescriptionTest {

    /** {@code pandas.Series([3, 1, 4, 1, 5, 9, 2, 6]).describe()} of pandas 3.1.1. */
    @Test
    void isWhatPandasSays() {
        assertThat(Description.of(3, 1, 4, 1, 5, 9, 2, 6))
                .isEqualTo(
                        new Description(
                                8, 3.875, Math.sqrt(7.553571428571429), 1, 1.75, 3.5, 5.25, 9));
        assertThat(Description.of(3, 1, 4, 1, 5, 9, 2, 6).interquartileRange()).isEqualTo(3.5);
    }

    @Test
    void oneValueHasNoDeviation() {
        assertThat(Description.of(2.5))
                .isEqualTo(new Description(1, 2.5, Double.NaN, 2.5, 2.5, 2.5, 2.5, 2.5));
    }

    @Test
    void leavesTheValuesAsTheyAre() {
        double[] values = {2, 1};
        Description.of(values);
        assertThat(values).containsExactly(2, 1);
        assertThatThrownBy(Description::of).isInstanceOf(IllegalArgumentException.class);
    }
}
