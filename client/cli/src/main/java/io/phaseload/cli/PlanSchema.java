package io.phaseload.cli;

import io.phaseload.options.EditDistance;
import io.phaseload.options.UsageException;
import io.phaseload.result.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds a plan's file to the published schema, as far as it says which keys there are and of what
 * types their values are. What values mean is up to who reads them.
 *
 * @param file where mistakes are
 */
record PlanSchema(PlanFile file) {

    private static final JsonNode SCHEMA = schema();

    private static final Map<String, String> WORDS =
            Map.of(
                    "object", "keys with values",
                    "array", "a list",
                    "string", "a text",
                    "integer", "a whole number",
                    "number", "a number",
                    "boolean", "true or false");

    private static JsonNode schema() {
        try (InputStream in = Result.class.getResourceAsStream("plan.schema.json")) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void check(JsonNode plan) throws UsageException {
        check(plan, SCHEMA, "");
    }

    private void check(JsonNode value, JsonNode schema, String at) throws UsageException {
        if (value.isNull()) {
            // Says as little as a key that isn't there.
            return;
        }
        List<JsonNode> forms = forms(schema);
        JsonNode form = forms.stream().filter(any -> fits(value, any)).findFirst().orElse(null);
        if (form == null) {
            String types =
                    forms.stream()
                            .map(PlanSchema::type)
                            .distinct()
                            .map(WORDS::get)
                            .collect(Collectors.joining(" or "));
            throw file.failure(at, "%s: expected %s".formatted(where(at), types));
        }
        if (form.has("enum") && !texts(form.get("enum")).contains(value.asString())) {
            throw file.failure(
                    at,
                    "%s %s: expected %s"
                            .formatted(
                                    where(at),
                                    value.asString(),
                                    String.join(" or ", texts(form.get("enum")))));
        }
        if (value.isObject()) {
            checkKeys(value, form, at);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(value.get(i), form.get("items"), at + "/" + i);
        }
    }

    private void checkKeys(JsonNode object, JsonNode form, String at) throws UsageException {
        JsonNode known = form.path("properties");
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String key = entry.getKey();
            JsonNode schema = known.has(key) ? known.get(key) : form.path("additionalProperties");
            if (!schema.isObject()) {
                List<String> names = List.copyOf(known.propertyNames());
                throw file.failure(
                        at + "/" + key,
                        "key %s: no such key, %s"
                                .formatted(
                                        key,
                                        EditDistance.nearest(key, names)
                                                .map(near -> "did you mean " + near + "?")
                                                .orElse("expected " + String.join(", ", names))));
            }
            check(entry.getValue(), schema, at + "/" + key);
        }
        for (String key : texts(form.path("required"))) {
            if (!object.hasNonNull(key)) {
                throw file.failure(at, "%s: expected a key %s".formatted(where(at), key));
            }
        }
    }

    /** The forms that a value may have, with references followed. */
    private static List<JsonNode> forms(JsonNode schema) {
        JsonNode form = schema;
        while (form.has("$ref")) {
            form = SCHEMA.at(form.get("$ref").asString().substring(1));
        }
        if (!form.has("anyOf")) {
            return List.of(form);
        }
        List<JsonNode> forms = new ArrayList<>();
        form.get("anyOf").forEach(any -> forms.addAll(forms(any)));
        return forms;
    }

    private static boolean fits(JsonNode value, JsonNode form) {
        return switch (type(form)) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isString();
        };
    }

    /** A list of words has no type of its own. */
    private static String type(JsonNode form) {
        return form.path("type").asString("string");
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    /** The part's own name. */
    private static String where(String at) {
        return at.isEmpty() ? "plan" : at.substring(1).replace('/', '.');
    }
}
