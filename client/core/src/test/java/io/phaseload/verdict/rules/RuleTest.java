package io.phaseload.verdict.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.Verdict.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleTest {

    /** Scripts know findings by these; one that is renamed is a change of the format. */
    @Test
    void idsAreStable() {
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
                        "client-share",
                        "users",
                        "first-requests",
                        "littles-law",
                        "offered-load",
                        "pool",
                        "resent",
                        "agent-differs",
                        "unsteady",
                        "too-short",
                        "client-limit",
                        "unreachable",
                        "nothing-sent",
                        "no-response",
                        "no-success",
                        "interrupted",
                        "steered",
                        "client-fault",
                        "target-count",
                        "unfinished",
                        "agent-lost",
                        "incomplete",
                        "merged");
    }

    /** Users look up there what to do; the tables of ids are those below the first heading. */
    @Test
    void theDocumentedIdsAreThoseOfTheRules() throws IOException {
        Path page = Path.of(System.getProperty("basedir", ""), "..", "..", "docs", "verdict.md");

        assertThat(Files.readAllLines(page).stream()
                        .dropWhile(line -> !line.startsWith("## "))
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.split("\\|")[1])
                        .flatMap(ids -> Arrays.stream(ids.split(",")))
                        .map(id -> id.replace("`", "").strip()))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Rule.values()).map(Rule::id).toList());
    }

    @Test
    void aFindingHasFiguresAndATextMadeOfThem() {
        Finding finding = Rule.CPU.in(Wording.REQUESTS, "peak", 93.27, 4);

        assertThat(finding)
                .isEqualTo(new Finding(
                        "cpu",
                        Status.SUSPECT,
                        About.CLIENT,
                        Optional.of("peak"),
                        Map.of("cpuPercent", 93.27, "cores", 4),
                        "peak: the client used 93 % of 4 cores, so latencies include"
                                + " waiting for a CPU. Use fewer users, a lower rate or"
                                + " more cores."));
        assertThat(finding.evidence().keySet()).containsExactly("cpuPercent", "cores");
        assertThat(finding.of("run 2").text()).startsWith("run 2: peak: the client used 93 %");
    }

    @Test
    void wordsAreInTheTextAlone() {
        Finding finding = Rule.CLIENT_LIMIT.finding(Wording.REQUESTS, 3L, 20L, "too many open files");

        assertThat(finding.phase()).isEmpty();
        assertThat(finding.evidence()).isEqualTo(Map.of("failed", 3L, "requests", 20L));
        assertThat(finding.text()).contains("3 of 20 requests").contains("(too many open files)");
    }

    @Test
    void numbersAreWrittenAlikeInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(Rule.STALLS.in(Wording.REQUESTS, "peak", 12.5, 3L, 41.0).text())
                    .startsWith("peak: the client couldn't run for 13 % of the time: 3 stalls of up to 41 ms.");
        } finally {
            Locale.setDefault(before);
        }
    }
}
