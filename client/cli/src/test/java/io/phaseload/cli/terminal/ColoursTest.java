package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColoursTest {

    @ParameterizedTest
    @CsvSource({
        "Verdict: VALID, 32",
        "Verdict: SUSPECT, 33",
        "Verdict: INVALID, 31",
        "Failed requests: 0 (0.00 %), 32",
        "Failed requests: 10 (0.10 %), 31",
        "Thresholds: 0 of 3 failed, 32",
        "Thresholds: 1 of 3 failed, 31",
    })
    void importantLinesAreColoured(String line, String colour) {
        assertThat(Colours.painted("a\n" + line + "\nVerdict of another\n"))
                .isEqualTo("a\n\033[" + colour + "m" + line + "\033[0m\nVerdict of another\n");
    }
}
