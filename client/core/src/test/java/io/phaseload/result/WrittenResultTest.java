package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written of a result, as JSON and as text, to the letter and in every locale. */
class WrittenResultTest {

    private static final List<String> FIGURES =
            List.of(
                    "wallSeconds",
                    "phaseSeconds",
                    "requests",
                    "responses",
                    "succeeded",
                    "failed",
                    "failedPercent",
                    "requestsPerSecond",
                    "succeededPerSecond",
                    "failedPerSecond",
                    "bytesReceived",
                    "bytesReceivedPerSecond",
                    "response",
                    "responseOfSuccesses",
                    "service",
                    "slip",
                    "timeToFirstByte",
                    "transfer",
                    "connectionSetUp",
                    "dnsLookup",
                    "tcpConnect",
                    "tlsHandshake",
                    "reconnects",
                    "resent",
                    "statuses",
                    "censored",
                    "failures",
                    "failureDetails",
                    "instances");

    /** Two of the locales write digits of their own, one a comma for the point. */
    @ParameterizedTest
    @ValueSource(strings = {"und", "de-DE", "ar-EG", "hi-IN-u-nu-deva", "tr-TR"})
    void filesAreTheSameInEveryLocale(String tag) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag(tag));

            String passed = ResultJson.write(FixedResults.passed());
            ResultSchema.assertValid(passed);
            new GoldenFile("passed.json").assertIs(passed);
            new GoldenFile("passed.txt").assertIs(TextReport.write(FixedResults.passed()));
            String interrupted = ResultJson.write(FixedResults.interrupted());
            ResultSchema.assertValid(interrupted);
            new GoldenFile("interrupted.json").assertIs(interrupted);
            new GoldenFile("interrupted.txt")
                    .assertIs(TextReport.write(FixedResults.interrupted()));
            new GoldenFile("passed.md").assertIs(MarkdownSummary.write(FixedResults.passed()));
            new GoldenFile("interrupted.md")
                    .assertIs(MarkdownSummary.write(FixedResults.interrupted()));
            Result failed = FixedResults.failed("peak");
            ResultSchema.assertValid(ResultJson.write(failed));
            new GoldenFile("failed.txt").assertIs(TextReport.write(failed));
            new GoldenFile("failed.md").assertIs(MarkdownSummary.write(failed));
        } finally {
            Locale.setDefault(before);
        }
    }

    /** Scripts read these lines: their wording and order stay. */
    @Test
    void theReportKeepsTheLinesThatAreReadByScripts() {
        String decimals = "\\d+\\.\\d{3}";
        List<String> expected =
                List.of(
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
    void theSummaryIsTheReportWithoutItsCourse() {
        String report = TextReport.write(FixedResults.passed());

        assertThat(TextReport.summary(FixedResults.passed()))
                .startsWith("=====\n")
                .isEqualTo(report.substring(report.indexOf("=====")));
    }

    @Test
    void aRunThatSentNothingHasNoLatencies() {
        assertThat(TextReport.phaseStartLine("soak", 4))
                .isEqualTo("SOAK phase: All threads(4) running....");
        JsonNode soak = json(FixedResults.interrupted()).get("phases").get(1);

        assertThat(soak.get("startedAt").isNull()).isTrue();
        assertThat(soak.get("requests").asLong()).isZero();
        assertThat(soak.get("requestsPerSecond").asDouble()).isZero();
        assertThat(soak.get("response").get("p99Ms").isNull()).isTrue();
        assertThat(TextReport.write(FixedResults.interrupted())).doesNotContain("SOAK");
    }

    @Test
    void theJsonHasTheNamesOfTheContract() {
        JsonNode json = json(FixedResults.passed());

        assertThat(json.propertyNames())
                .containsExactlyInAnyOrder(
                        "schemaVersion",
                        "runId",
                        "startedAt",
                        "plan",
                        "environment",
                        "engine",
                        "target",
                        "phases",
                        "totals",
                        "measuredPhases",
                        "measured",
                        "verdict",
                        "thresholds",
                        "interrupted",
                        "fault",
                        "mergedFrom");
        JsonNode peak = json.get("phases").get(2);
        assertThat(peak.propertyNames())
                .containsAll(FIGURES)
                .contains("name", "threads", "startedAt", "asked", "notSent", "operations")
                .contains("client");
        assertThat(peak.get("operations").get(0).propertyNames()).containsAll(FIGURES);
        assertThat(json.get("totals").propertyNames()).containsExactlyInAnyOrderElementsOf(FIGURES);
        for (String latency :
                List.of(
                        "response",
                        "responseOfSuccesses",
                        "service",
                        "slip",
                        "timeToFirstByte",
                        "transfer",
                        "connectionSetUp",
                        "dnsLookup",
                        "tcpConnect",
                        "tlsHandshake")) {
            assertThat(peak.get(latency).propertyNames())
                    .containsExactly(
                            "samples",
                            "meanMs",
                            "standardDeviationMs",
                            "minMs",
                            "p50Ms",
                            "p75Ms",
                            "p90Ms",
                            "p95Ms",
                            "p99Ms",
                            "p999Ms",
                            "p9999Ms",
                            "maxMs",
                            "unsupported");
        }
        assertThat(json.get("verdict").propertyNames()).containsExactly("status", "reasons");
        assertThat(json.get("thresholds").get(0).propertyNames())
                .containsExactly(
                        "expression",
                        "phase",
                        "operation",
                        "observed",
                        "unit",
                        "passed",
                        "aborted",
                        "reason");
    }

    @Test
    void theJsonHasTheUnitsOfItsNames() {
        JsonNode json = json(FixedResults.passed());
        JsonNode warmup = json.get("phases").get(0);

        assertThat(json.get("schemaVersion").asInt()).isEqualTo(3);
        assertThat(json.get("startedAt").asString()).isEqualTo("2018-09-29T18:51:35.282Z");
        assertThat(json.get("totals").get("wallSeconds").asDouble()).isEqualTo(21.781);
        assertThat(warmup.get("wallSeconds").asDouble()).isEqualTo(4.591);
        assertThat(warmup.get("response").get("minMs").asDouble()).isBetween(0.999, 1.0);
        assertThat(warmup.get("response").get("maxMs").asDouble()).isBetween(50.0, 50.05);
        assertThat(warmup.get("slip").get("p99Ms").asDouble()).isZero();
        assertThat(json.get("plan").get("target").get("responseTimeoutMs").asDouble())
                .isEqualTo(5_000);
        JsonNode everything = json(FixedResults.interrupted());
        assertThat(everything.get("plan").get("phases").get(1).get("durationMs").asDouble())
                .isEqualTo(90_000);
        assertThat(everything.get("totals").get("failedPercent").asDouble()).isEqualTo(87.5);
        assertThat(everything.get("interrupted").asBoolean()).isTrue();
        assertThat(everything.get("verdict").get("status").asString()).isEqualTo("INVALID");
    }

    /** A redirect counts as a success, so that it must be named. */
    @Test
    void redirectsAreNamed() {
        Result result = FixedResults.redirected();

        for (String text : List.of(TextReport.write(result), MarkdownSummary.write(result))) {
            assertThat(text)
                    .contains("Status codes: 301: 1, 302: 2, 304: 1\n")
                    .contains("Redirects not followed: 3 (301, 302).\n")
                    .contains("Received: 4.000 kB, 2.000 kB/s\n")
                    .contains("http://localhost:8080/, started 2018-09-29T18:51:35Z")
                    .contains("build=1234")
                    .contains("Sent again, since the server had closed the idle connection: 1;");
        }
        assertThat(TextReport.write(FixedResults.passed()))
                .doesNotContain("Redirects", "Sent again");
    }

    @Test
    void failuresInTheJsonAddUp() {
        JsonNode totals = json(FixedResults.interrupted()).get("totals");
        long sum = 0;
        for (Iterator<JsonNode> counts = totals.get("failures").iterator(); counts.hasNext(); ) {
            sum += counts.next().asLong();
        }

        assertThat(sum).isEqualTo(totals.get("failed").asLong()).isEqualTo(7);
        assertThat(totals.get("failures").get("http 503").asLong()).isEqualTo(2);
    }

    @Test
    void noSecretIsWritten() {
        Result result = FixedResults.interrupted();

        assertThat(
                        Stream.of(
                                ResultJson.write(result),
                                TextReport.write(result),
                                MarkdownSummary.write(result)))
                .allSatisfy(
                        text ->
                                assertThat(text)
                                        .doesNotContain(FixedResults.SECRET)
                                        .contains(Secrets.REDACTED));
    }

    private static JsonNode json(Result result) {
        return JsonMapper.shared().readTree(ResultJson.write(result));
    }
}
