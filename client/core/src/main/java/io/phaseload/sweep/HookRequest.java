package io.phaseload.sweep;

import io.phaseload.plan.Operation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request that is sent before or after a trial.
 *
 * @param name for reasons, such as {@code before POST /items}; without secrets
 * @param request makes the request of the values that are known by then: those of the step, {@code step} and
 *     {@code trial}, and what earlier requests of the same trial took. If it throws an
 *     {@link IllegalArgumentException}, the trial fails with its message
 * @param takes values to take from the JSON response: names with JSON Pointers (RFC 6901), in order
 */
public record HookRequest(String name, Function<Map<String, String>, Operation> request, Map<String, String> takes) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * Keeps the order of what is taken.
     *
     * @throws IllegalArgumentException if a pointer isn't one
     */
    public HookRequest {
        takes = Collections.unmodifiableMap(new LinkedHashMap<>(takes));
        takes.values().forEach(JsonPointer::compile);
    }

    /** Adds values from a response; returns what went wrong, if anything. */
    Optional<String> take(String body, Map<String, String> values) {
        for (Entry<String, String> take : takes.entrySet()) {
            JsonNode value;
            try {
                value = JSON.readTree(body).at(JsonPointer.compile(take.getValue()));
            } catch (JacksonException notJson) {
                return Optional.of("its response isn't JSON, take " + take);
            }
            if (!value.isValueNode() || value.isNull()) {
                return Optional.of("its response has no such value, take " + take);
            }
            values.put(take.getKey(), value.asString());
        }
        return Optional.empty();
    }
}
