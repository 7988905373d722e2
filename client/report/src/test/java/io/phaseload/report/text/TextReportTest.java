package io.phaseload.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.input.Secrets;
import io.phaseload.plan.Plan;
import io.phaseload.result.FixedResults;
import io.phaseload.result.GoldenFile;
import io.phaseload.result.Result;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run prints, and its summary, to the letter and in every locale. */
class TextReportTest {

    /** Two of the locales write digits of their own, one a comma for the point. */
    @ParameterizedTest
    @ValueSource(strings = {"und", "de-DE", "ar-EG", "hi-IN-u-nu-deva", "tr-TR"})
    void textsAreTheSameInEveryLocale(String tag) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag(tag));

            Map.of(
                            "passed", FixedResults.passed(),
                            "interrupted", FixedResults.interrupted(),
                            "failed", FixedResults.failed("peak"))
                    .forEach((name, result) -> {
                        golden(name + ".txt").assertIs(TextReport.write(result));
                        golden(name + ".md").assertIs(MarkdownSummary.write(result));
                    });
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void eachAgentHasALine() {
        String[] agents = TextReport.write(FixedResults.ofAgents()).split("(?m)^Agents:\n");

        assertThat(agents).hasSize(2);
        assertThat(agents[1].lines().limit(6))
                .containsExactly(
                        "  agent  host    part   requests  failed    rps  p50 ms       p99 ms"
                                + "  verdict  p50 vs others %  rate vs others %  clock ahead by ms"
                                + "  give or take ms",
                        "  one    load-1  1,2/3      2600       0  260.5   4.125  n too small"
                                + "  VALID               12.5              -1.5             -0.125"
                                + "            0.063",
                        "  two    load-2  3/3         n/a     n/a    n/a     n/a          n/a"
                                + "  LOST                 n/a               n/a                n/a"
                                + "              n/a",
                        "  phase  agents started within ms  give or take ms  waited for",
                        "  peak                      0.500            0.125  two to be ready: 3.3 s",
                        "  Clocks of agents, compared with each other: known within 0.050 ms");
    }

    /** Nothing may stand out in what was sent, where most of it wasn't. */
    @Test
    void aLoadThatWasNotOfferedIsNotSaidToBeFine() {
        Verdict verdict =
                Verdict.VALID.and(Rule.OFFERED_LOAD.finding(Wording.REQUESTS, 81L, 100L, 81.0, 0.5, "Use more users."));
        assertThat(DiagnosisLines.text(FixedResults.passed())).containsExactly("Diagnosis: nothing stands out.");
        assertThat(DiagnosisLines.text(FixedResults.passed().withVerdict(verdict)))
                .containsExactly("Diagnosis: the load wasn't offered as asked for (see the verdict), so times are"
                        + " those of another one.");
    }

    @Test
    void slowResponsesThatNoPatternExplainsAreSaid() {
        assertThat(DiagnosisLines.text(FixedResults.slow()))
                .containsExactly(
                        "Diagnosis: no known pattern explains the slow responses: p99 is 1,000 ms, the median 5.00 ms.");
    }

    private static GoldenFile golden(String name) {
        return new GoldenFile(TextReportTest.class, name);
    }

    /** Scripts read these lines: their wording and order stay. */
    @Test
    void theReportKeepsTheLinesThatScriptsRead() {
        String decimals = "\\d+\\.\\d{3}";
        List<String> expected = List.of(
                "Client starting\\.\\.\\.\\. Time: 1538247095282",
                "WARMUP phase: All threads\\(2\\) running\\.\\.\\.\\.",
                "WARMUP phase complete: Time " + decimals + " seconds",
                "LOADING phase: All threads\\(10\\) running\\.\\.\\.\\.",
                "LOADING phase complete: Time " + decimals + " seconds",
                "PEAK phase: All threads\\(20\\) running\\.\\.\\.\\.",
                "PEAK phase complete: Time " + decimals + " seconds",
                "COOLDOWN phase: All threads\\(5\\) running\\.\\.\\.\\.",
                "COOLDOWN phase complete: Time " + decimals + " seconds",
                "=====",
                "Total number of requests sent: 7400",
                "Total number of Successful responses: 7400",
                "Failed requests: 0 \\(0\\.00 %\\)",
                "Test Wall Time: 21\\.781 seconds",
                "Overall throughput across all phases: 402\\.33 rps\\.",
                "Mean Latency for all requests = " + decimals + " ms\\.",
                "Median Latency = " + decimals + " ms\\.",
                "P95 Latency = " + decimals + " ms\\.",
                "P99 Latency = " + decimals + " ms\\.");

        List<String> lines = TextReport.write(FixedResults.passed()).lines().toList();

        for (int i = 0; i < expected.size(); i++) {
            assertThat(lines.get(i)).matches(expected.get(i));
        }
        assertThat(lines.get(expected.size())).isEmpty();
    }

    @Test
    void theSummaryIsTheReportWithoutProgress() {
        String report = TextReport.write(FixedResults.passed());

        assertThat(TextReport.summary(FixedResults.passed()))
                .startsWith("=====\n")
                .isEqualTo(report.substring(report.indexOf("=====")));
    }

    /** The figures are next to each other, and nothing is said twice. */
    @Test
    void aNarrowTerminalHasTheMeasuredPhasesAlone() {
        String wide = TextReport.summary(FixedResults.passed());
        String narrow = TextReport.summary(FixedResults.passed(), 80);

        assertThat(wide).containsPattern("(?m)^warmup  ").containsPattern("(?m)^peak  ");
        assertThat(narrow).doesNotContainPattern("(?m)^(warmup|cooldown)  ").containsPattern("(?m)^peak  ");
        assertThat(narrow.lines().filter(line -> line.startsWith("phase"))).hasSize(1);
        assertThat(narrow.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void theLastLinesAreTheOutcome() {
        assertThat(TextReport.summary(FixedResults.interrupted()))
                .containsPattern(": don't use these figures[.]\n((Failed|Undecided) thresholds: .+\n)+$");
    }

    @Test
    void aSkippedPhaseHasNoLines() {
        assertThat(TextReport.phaseStartLine("soak", 4)).isEqualTo("SOAK phase: All threads(4) running....");
        assertThat(TextReport.write(FixedResults.interrupted())).doesNotContain("SOAK");
    }

    /** A redirect counts as a success, so that it must be named. */
    @Test
    void redirectsAreNamed() {
        Result result = FixedResults.redirected();

        for (String text : List.of(TextReport.write(result), MarkdownSummary.write(result))) {
            assertThat(text)
                    .contains("Status codes: 301: 1, 302: 2, 304: 1\n")
                    .contains("Redirects not followed: 3 (301, 302)\n")
                    .contains("Received: 4.000 kB, 2.000 kB/s\n")
                    .contains("http://localhost:8080/, started 2018-09-29T18:51:35Z")
                    .contains("build=1234");
        }
        assertThat(TextReport.write(FixedResults.passed())).doesNotContain("Redirects", "Sent again");
    }

    /** Such a request may hide a failure. */
    @Test
    void requestsThatWereSentAgainStandBesideTheFailures() {
        Result result = FixedResults.redirected();
        String line = "Sent again: 1, after a connection ended without a response; the server may have read";

        assertThat(TextReport.write(result)).contains("\nFailures: none\n" + line);
        assertThat(MarkdownSummary.write(result)).contains("\nNo failures.\n\n" + line);
    }

    @Test
    void theClientsOwnPartIsNotMeasuredOnVirtualThreads() {
        Result result = FixedResults.redirected();
        Plan virtual = Plan.builder(result.plan().target().uri())
                .scenario(result.plan().scenario())
                .phases(result.plan().phases().get(0))
                .virtualThreads(true)
                .build();
        String line = "The client's own part of the response times: not measured on virtual threads\n";

        assertThat(TextReport.write(result)).doesNotContain(line);
        assertThat(TextReport.write(result.withPlan(virtual))).contains(line);
    }

    @Test
    void noSecretIsWritten() {
        Result result = FixedResults.interrupted();

        assertThat(List.of(TextReport.write(result), MarkdownSummary.write(result)))
                .allSatisfy(text ->
                        assertThat(text).doesNotContain(FixedResults.SECRET).contains(Secrets.REDACTED));
    }
}
