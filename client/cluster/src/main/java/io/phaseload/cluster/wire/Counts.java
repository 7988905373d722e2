package io.phaseload.cluster.wire;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A result as an agent sends it at its end: the coordinator has heard of all times and requests by the second, so
 * operations and journeys have their counts alone, to compare them.
 */
public final class Counts {

    private static final String SAMPLES = "samples";
    private static final List<String> TIMED = List.of("operations", "journeys");
    private static final Set<String> LISTS = Set.of("slowestRequests", "failedRequests");

    private Counts() {}

    /**
     * Removes what the coordinator knows.
     *
     * @param result as in {@code result.json}; it is changed
     * @return it
     */
    public static JsonNode only(JsonNode result) {
        for (JsonNode phase : result.path("phases")) {
            for (String timed : TIMED) {
                for (JsonNode figures : phase.path(timed)) {
                    ((ObjectNode) figures).remove(LISTS);
                    for (JsonNode figure : figures) {
                        if (figure.has(SAMPLES)) {
                            ((ObjectNode) figure).retain(SAMPLES);
                        }
                    }
                }
            }
        }
        return result;
    }
}
