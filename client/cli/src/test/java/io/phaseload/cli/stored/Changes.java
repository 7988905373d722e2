package io.phaseload.cli.stored;

import io.phaseload.cli.Cli;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** The changes in the JSON that {@code compare} prints. */
record Changes(JsonNode all) {

    /** Those of the first comparison. */
    static Changes of(Cli compare) {
        return new Changes(compare.json().at("/comparisons/0/changes"));
    }

    /**
     * One of them.
     *
     * @param operation {@code null} for all together
     */
    JsonNode of(String operation, String figure) {
        return stream()
                .filter(change -> operation == null
                        ? change.path("operation").isNull()
                        : change.path("operation").asString().equals(operation))
                .filter(change -> change.path("figure").asString().equals(figure))
                .findFirst()
                .orElseThrow();
    }

    List<String> phases() {
        return stream()
                .map(change -> change.path("phase").asString())
                .distinct()
                .toList();
    }

    private Stream<JsonNode> stream() {
        return StreamSupport.stream(all.spliterator(), false);
    }
}
