package io.phaseload.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.Verdict.Status;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleTest {

    /** Scripts know findings by these; one that is renamed is a change of the format. */
    @Test
    void idsStayAsTheyAre() {
        assertThat(Arrays.stream(Rule.values()).map(Rule::id))
                .containsExactly(
                        "stopped",
                        "suspended",
                        "throttled",
                        "stolen",
                        "cpu",
                        "gc",
                        "crowded",
                        "run-queue",
                        "stalls",
                        "loop-lag",
                        "tail",
                        "users",
                        "first-requests",
                        "littles-law",
                        "offered-load",
                        "too-short",
                        "client-limit",
                        "unreachable",
                        "nothing-sent",
                        "no-response",
                        "no-success",
                        "interrupted",
                        "client-fault",
                        "target-count",
                        "unfinished",
                        "incomplete");
    }

    @Test
    void aFindingHasItsFiguresAndATextThatIsMadeOfThem() {
        Finding finding = Rule.CPU.in("peak", 93.27, 4);

        assertThat(finding)
                .isEqualTo(
                        new Finding(
                                "cpu",
                                Status.SUSPECT,
                                About.CLIENT,
                                Optional.of("peak"),
                                Map.of("cpuPercent", 93.27, "cores", 4),
                                "peak: the client's process used 93 % of 4 cores; times include"
                                        + " waiting for the CPU. Use fewer users, a lower rate, or"
                                        + " more cores."));
        assertThat(finding.evidence().keySet()).containsExactly("cpuPercent", "cores");
        assertThat(finding.of("run 2").text()).startsWith("run 2: peak: the client's process");
    }

    @Test
    void wordsAreInTheTextAlone() {
        Finding finding = Rule.CLIENT_LIMIT.finding(3L, 20L, "too many open files");

        assertThat(finding.phase()).isEmpty();
        assertThat(finding.evidence()).isEqualTo(Map.of("failed", 3L, "requests", 20L));
        assertThat(finding.text()).contains("3 of 20 requests").contains("(too many open files)");
    }

    @Test
    void numbersAreWrittenAlikeInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(Rule.STALLS.in("peak", 12.5, 3L, 41.0).text())
                    .startsWith(
                            "peak: the client couldn't run for 13 % of the time: 3 stalls of up to 41 ms.");
        } finally {
            Locale.setDefault(before);
        }
    }
}
