package io.phaseload.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class CountsTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A plan of hundreds of operations has tens of MB of the rest. */
    @Test
    void operationsHaveTheirCountsAlone() {
        String result =
                """
                {"totals": {"requests": 3, "response": {"samples": 3, "p50": 1.5}},
                 "phases": [
                   {"name": "peak",
                    "operations": [
                      {"requests": 3, "response": {"samples": 3, "p50": 1.5}, "statuses": {"200": 2},
                       "slowestRequests": [{"user": 1}], "failedRequests": [{"user": 2}]}],
                    "journeys": [{"requests": 1, "response": {"samples": 1, "p50": 2.5}}],
                    "client": {"stalls": [1, 2]}}]}
                """;
        assertThat(Counts.only(JSON.readTree(result)))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"totals": {"requests": 3, "response": {"samples": 3, "p50": 1.5}},
                                 "phases": [
                                   {"name": "peak",
                                    "operations": [
                                      {"requests": 3, "response": {"samples": 3},
                                       "statuses": {"200": 2}}],
                                    "journeys": [{"requests": 1, "response": {"samples": 1}}],
                                    "client": {"stalls": [1, 2]}}]}
                                """));
    }
}
