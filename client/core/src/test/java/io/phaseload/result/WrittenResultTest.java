package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.input.Secrets;
import io.phaseload.result.json.ResultJson;
import io.phaseload.verdict.Finding;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What is written of a result as JSON, to the letter and in every locale. */
class WrittenResultTest {

    static final List<String> FIGURES = List.of(
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

            for (Result result : List.of(FixedResults.passed(), FixedResults.interrupted())) {
                String json = ResultJson.write(result);
                ResultSchema.assertValid(json);
                String name = result.interrupted() ? "interrupted.json" : "passed.json";
                new GoldenFile(WrittenResultTest.class, name).assertIs(json);
            }
            ResultSchema.assertValid(ResultJson.write(FixedResults.failed("peak")));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aRunThatSentNothingHasNoLatencies() {
        JsonNode soak = json(FixedResults.interrupted()).get("phases").get(1);

        assertThat(soak.get("startedAt").isNull()).isTrue();
        assertThat(soak.get("requests").asLong()).isZero();
        assertThat(soak.get("requestsPerSecond").asDouble()).isZero();
        assertThat(soak.get("response").get("p99Ms").isNull()).isTrue();
    }

    @Test
    void agentsAreThereIfThereWereAnyAndCanBeReadAgain() {
        String json = ResultJson.write(FixedResults.ofAgents());

        ResultSchema.assertValid(json);
        JsonNode agents = JsonMapper.shared().readTree(json).get("agents");
        assertThat(JsonMapper.shared().treeToValue(agents, Agents.class))
                .isEqualTo(FixedResults.ofAgents().agents().orElseThrow());
        // Earlier versions compared no agents' clocks with each other's.
        ((ObjectNode) agents).remove("peerClocks");
        assertThat(JsonMapper.shared().treeToValue(agents, Agents.class).peerClocks())
                .isEmpty();
        assertThat(agents.at("/members/1").propertyNames())
                .containsExactly("name", "host", "weight", "part", "lost", "clocks");
    }

    @Test
    void theJsonHasTheDocumentedNames() {
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
                        "findings",
                        "diagnoses",
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
        for (String latency : List.of(
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
                        "reason",
                        "outcome");
    }

    @Test
    void theJsonsUnitsMatchItsNames() {
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
    void aFindingRoundTrips() {
        Result result = FixedResults.interrupted();

        assertThat(json(result).get("findings"))
                .extracting(finding -> ResultJson.read(finding, Finding.class).toString())
                .containsExactlyElementsOf(result.verdict().findings().stream()
                        .map(Finding::toString)
                        .toList());
    }

    @Test
    void noSecretIsWritten() {
        assertThat(ResultJson.write(FixedResults.interrupted()))
                .doesNotContain(FixedResults.SECRET)
                .contains(Secrets.REDACTED);
    }

    private static JsonNode json(Result result) {
        return JsonMapper.shared().readTree(ResultJson.write(result));
    }
}
