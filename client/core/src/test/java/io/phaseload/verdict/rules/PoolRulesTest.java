package io.phaseload.verdict.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolRulesTest {

    private static final Duration RESPONSE = Duration.ofMillis(10);

    @ParameterizedTest
    @CsvSource({"0, false", "5000, false", "5001, true", "10000, true"})
    void moreThanHalfOfAResponseTimeIsThePools(long leaseMicros, boolean remarked) {
        Duration lease = Duration.ofNanos(leaseMicros * 1_000);

        assertThat(PoolRules.judge(Wording.REQUESTS, "peak", lease, RESPONSE).isPresent())
                .isEqualTo(remarked);
    }

    @Test
    void itIsARemarkWithTheFigures() {
        Finding finding = PoolRules.judge(Wording.REQUESTS, "peak", Duration.ofMillis(8), RESPONSE)
                .orElseThrow();

        assertThat(finding.severity()).isEqualTo(Verdict.Status.VALID);
        assertThat(finding.evidence()).isEqualTo(Map.of("leasePercent", 80.0, "leaseMs", 8.0, "responseMs", 10.0));
        assertThat(finding.text())
                .startsWith("peak: 80 % of the response times was waiting for a connection")
                .contains("8.0 of 10.0 ms")
                .endsWith("not of the server. Use a larger --pool, or fewer users.");
    }

    @Test
    void withoutRequestsThereIsNoWait() {
        assertThat(PoolRules.judge(Wording.REQUESTS, "peak", Duration.ZERO, Duration.ZERO))
                .isEmpty();
    }
}
