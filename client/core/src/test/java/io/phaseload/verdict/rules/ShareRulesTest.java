package io.phaseload.verdict.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.stats.ClientShare;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShareRulesTest {

    private static ClientShare share(double p50, double p99) {
        return new ClientShare(1_000, 5, Optional.of(p50), Optional.of(3.0), Optional.of(p99), Optional.empty());
    }

    @Test
    void aTenthOfEachFigureMayBeTheClients() {
        assertThat(ShareRules.judge(Wording.REQUESTS, Optional.of("peak"), share(10, 10), 0.05, Optional.empty()))
                .isEmpty();
    }

    @Test
    void theFiguresAreNamed() {
        Finding finding = ShareRules.judge(
                        Wording.REQUESTS, Optional.of("peak"), share(38.2, 25), 0.05, Optional.of(0.8))
                .orElseThrow();

        assertThat(finding.severity()).isEqualTo(Verdict.Status.SUSPECT);
        assertThat(finding.evidence()).isEqualTo(Map.of("clientSharePercent", 38.2, "clientShareMs", 0.05));
        assertThat(finding.text())
                .startsWith("peak: up to 38 % of a response time's figure, 0.050 ms, may be the client's own"
                        + " (38 % of the median, 25 % of p99)")
                .contains("its timers were late");
    }

    @Test
    void onlyMoreThanHalfOfATimeMakesTheClientTheLimit() {
        assertThat(judged(49, 5).blamesClient()).isFalse();
        assertThat(judged(51, 5).blamesClient()).isTrue();
    }

    @Test
    void aPartOfAMillisecondMakesNoTimeLong() {
        assertThat(judged(80, 0.9).blamesClient()).isFalse();
        assertThat(judged(80, 1.1).blamesClient()).isTrue();
    }

    private static Verdict judged(double percent, double millis) {
        return Verdict.VALID.and(
                ShareRules.judge(Wording.REQUESTS, Optional.of("peak"), share(5, percent), millis, Optional.empty())
                        .orElseThrow());
    }

    @Test
    void waitsForACpuAreNamed() {
        assertThat(ShareRules.judge(Wording.REQUESTS, Optional.empty(), share(5, 25), 0.05, Optional.of(0.2)))
                .hasValueSatisfying(finding ->
                        assertThat(finding.text()).startsWith("up to 25 %").contains("its threads waited for a CPU"));
    }
}
