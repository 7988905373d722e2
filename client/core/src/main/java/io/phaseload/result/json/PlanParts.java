package io.phaseload.result.json;

import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.result.Secrets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parts of a plan, in the form that {@code result.json} keeps them in. */
public final class PlanParts {

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private PlanParts() {}

    /**
     * Reads an operation.
     *
     * @param json an element of a plan's {@code operations}
     * @return the operation; what was a secret in it is missing, see {@link #isRedacted}
     * @throws IllegalArgumentException naming what isn't allowed
     */
    public static Operation operation(JsonNode json) {
        return PlanJson.toOperation(read(json, PlanJson.OperationJson.class));
    }

    /**
     * Reads what makes users send.
     *
     * @param json {@code load} of an element of a plan's {@code phases}
     * @return the load
     * @throws IllegalArgumentException naming what isn't allowed
     */
    public static Load load(JsonNode json) {
        return PlanJson.toLoad(read(json, PlanJson.LoadJson.class));
    }

    private static <T> T read(JsonNode json, Class<T> type) {
        try {
            return MAPPER.treeToValue(json, type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(FileProblem.of(e), e);
        }
    }

    /**
     * Whether a secret was taken out of a text.
     *
     * @param text a header's value, a URL or a path
     * @return {@code true} if it is there no more
     */
    public static boolean isRedacted(String text) {
        return text.contains(Secrets.REDACTED);
    }
}
