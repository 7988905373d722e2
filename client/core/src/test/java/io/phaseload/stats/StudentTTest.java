package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {

    /** {@code scipy.stats.t.ppf(0.975, v)} of SciPy 1.17.1. */
    @ParameterizedTest
    @CsvSource({
        "1, 12.706204736174694",
        "1.5, 6.016663104427929",
        "2, 4.302652729749462",
        "2.7, 3.3921483831737507",
        "4, 2.7764451051977934",
        "9, 2.262157162798205",
        "30, 2.0422724562563018",
        "1000, 1.9623390808264083",
        "100000, 1.9599877075346095",
        "Infinity, 1.959963984540054"
    })
    void matchesPublishedTables(double degreesOfFreedom, double factor) {
        assertThat(StudentT.factor(degreesOfFreedom)).isCloseTo(factor, within(1e-6));
    }

    /** Abramowitz and Stegun, table 26.10. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.99, 63.657",
        "4, 0.99, 4.604",
        "30, 0.99, 2.750",
        "Infinity, 0.99, 2.576",
        "1, 0.9, 6.314",
        "30, 0.9, 1.697",
        "Infinity, 0.9, 1.645"
    })
    void otherCoverages(double degreesOfFreedom, double coverage, double factor) {
        assertThat(StudentT.factor(degreesOfFreedom, coverage)).isCloseTo(factor, within(5e-4));
    }
}
