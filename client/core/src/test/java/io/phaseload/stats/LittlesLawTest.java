package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LittlesLawTest {

    @ParameterizedTest
    @CsvSource({
        // 50 users, 100 a second, 0.5 s each: all of their time
        "50, 100, 0.5, 1, ACCOUNTED",
        "50, 100, 0.476, 0.952, ACCOUNTED",
        "50, 100, 0.475, 0.95, ACCOUNTED",
        "50, 100, 0.474, 0.948, TIME_MISSING",
        "50, 100, 0.524, 1.048, ACCOUNTED",
        "50, 100, 0.525, 1.05, ACCOUNTED",
        "50, 100, 0.526, 1.052, TIME_TOO_MUCH",
        "10, 0, 0, 0, TIME_MISSING"
    })
    void comparesTheUsersTimeWithTheRequests(
            double users, double rate, double seconds, double ratio, LittlesLaw.Audit audit) {
        LittlesLaw law = new LittlesLaw(users, rate, seconds);
        assertThat(law.ratio()).isCloseTo(ratio, within(1e-12));
        assertThat(law.audit()).isEqualTo(audit);
    }
}
