package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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
        "Diagnosis: nothing stands out., 32",
        "Diagnosis: peak: 4 of 9 requests were dropped, 33",
        "'  FAIL     p99 < 10ms     23.167 ms', 31",
        "'300 requests/s succeeded, p99 8.3 ms, none failed: these figures can be trusted.', 32",
    })
    void importantLinesAreColoured(String line, String colour) {
        assertThat(Colours.painted("a\n" + line + "\nVerdict of another\n"))
                .isEqualTo("a\n\033[" + colour + "m" + line + "\033[0m\nVerdict of another\n");
    }

    @Test
    void failuresInATableAreRed() {
        String table =
                """
                phase  operation  requests  failed  rps
                peak   GET /            80       0    1
                peak   POST /           80      28    1

                            28
                """;
        assertThat(Colours.painted(table)).isEqualTo(table.replace("80      28", "80      \033[31m28\033[0m"));
    }
}
