package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DescriptionTest {

    /** {@code pandas.Series([3, 1, 4, 1, 5, 9, 2, 6]).describe()} of pandas 3.1.1. */
    @Test
    void matchesPandas() {
        assertThat(Description.of(3, 1, 4, 1, 5, 9, 2, 6))
                .isEqualTo(new Description(8, 3.875, Math.sqrt(7.553571428571429), 1, 1.75, 3.5, 5.25, 9));
        assertThat(Description.of(3, 1, 4, 1, 5, 9, 2, 6).interquartileRange()).isEqualTo(3.5);
    }

    /** {@code numpy.quantile} by default. */
    @Test
    void quantilesBetweenValuesAreInterpolated() {
        Description uneven = Description.of(40, 0, 10);

        assertThat(uneven.q1()).isEqualTo(5);
        assertThat(uneven.median()).isEqualTo(10);
        assertThat(uneven.q3()).isEqualTo(25);
    }

    @Test
    void oneValueHasNoDeviation() {
        assertThat(Description.of(2.5)).isEqualTo(new Description(1, 2.5, Double.NaN, 2.5, 2.5, 2.5, 2.5, 2.5));
    }

    @Test
    void doesNotChangeItsInput() {
        double[] values = {2, 1};
        Description.of(values);
        assertThat(values).containsExactly(2, 1);
        assertThatThrownBy(Description::of).isInstanceOf(IllegalArgumentException.class);
    }
}
