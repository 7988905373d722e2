package io.phaseload.settings;

import io.phaseload.options.EditDistance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Checks a plan's file against the published schema: its keys, and the types of their values. The code that reads a
 * value checks its meaning. Texts of scenarios are templates but for those that the schema names ({@code x-text}):
 * names, checks, and texts that are the same for all users.
 *
 * @param file for the place of a mistake
 * @param toRun true if every key must be known, since a plan must not run without a part of it
 * @param texts puts others in the place of the plan's texts
 */
record PlanSchema(PlanSource file, boolean toRun, PlanTexts texts) {

    /** Checks that are the same for all users. */
    private static final Pattern FIXED =
            Pattern.compile("(warn:)?(not:)?(status|time|size|type|bytes|sha256|schema|count)\\b");

    /** The use of texts that aren't templates. */
    private static final String SAME = "same";

    private static final String TEMPLATE = "template";

    private static final Pattern NAME_IN_BRACES = Pattern.compile("\\$\\{[A-Za-z_][A-Za-z0-9_.]{0,99}[^}]{0,99}}");

    private static final Map<String, String> WORDS = Map.of(
            "object", "keys with values",
            "array", "a list",
            "string", "a text",
            "integer", "a whole number",
            "number", "a number",
            "boolean", "true or false");

    void check(JsonNode plan) {
        check(plan, Schema.ROOT, "", SAME);
    }

    private JsonNode check(JsonNode written, JsonNode schema, String at, String around) {
        if (written.isNull() && file.isResult()) {
            // The same as a missing key.
            return written;
        }
        if (written.isNull()) {
            throw file.failure(at, where(at) + ": expected a value");
        }
        if (schema.has("x-values")) {
            written.propertyNames().forEach(name -> texts.value(at + "/" + name));
        }
        String use = use(schema, at, around);
        JsonNode value = written.isString() ? text(written.asString(), at, use) : written;
        if (value.isString() && !file.isResult()) {
            checkText(value.asString(), at);
        }
        List<JsonNode> forms = Schema.forms(schema);
        JsonNode form =
                forms.stream().filter(any -> fits(value, any)).findFirst().orElse(null);
        if (form == null) {
            String types =
                    forms.stream().map(Schema::type).distinct().map(WORDS::get).collect(Collectors.joining(" or "));
            String examples = forms.stream()
                    .flatMap(any -> Schema.texts(any.path("examples")).stream())
                    .collect(Collectors.joining(", "));
            throw file.failure(
                    at,
                    examples.isEmpty()
                            ? "%s: expected %s".formatted(where(at), types)
                            : "%s %s: expected %s such as %s".formatted(where(at), value, types, examples));
        }
        if (form.has("enum") && !Schema.texts(form.get("enum")).contains(value.asString())) {
            throw file.failure(
                    at,
                    "%s %s: expected %s"
                            .formatted(
                                    where(at), value.asString(), String.join(" or ", Schema.texts(form.get("enum")))));
        }
        if (value.isObject()) {
            checkKeys((ObjectNode) value, form, at, use);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            ((ArrayNode) value).set(i, check(value.get(i), form.get("items"), at + "/" + i, use));
        }
        return value;
    }

    private String use(JsonNode schema, String at, String around) {
        if (at.equals("/scenarios") || at.equals("/pairs") || at.equals("/target/headers") && file.hasScenarios()) {
            return TEMPLATE;
        }
        return around.equals(TEMPLATE) ? schema.path("x-text").asString(TEMPLATE) : around;
    }

    private JsonNode text(String text, String at, String use) {
        if (use.equals(SAME) || use.equals("check") && FIXED.matcher(text).lookingAt()) {
            return StringNode.valueOf(texts.text(at, text));
        }
        if (!use.equals("name")) {
            texts.template(text);
        }
        return StringNode.valueOf(text);
    }

    /** Placeholders and file names that other tools would replace must not be sent literally. */
    private void checkText(String text, String at) {
        if (text.equals("~")) {
            throw file.failure(at, where(at) + ": expected a value");
        }
        Matcher name = NAME_IN_BRACES.matcher(text);
        if (name.find() && !(at.startsWith("/variables/") && name.group().startsWith("${env:"))) {
            throw file.failure(
                    at,
                    "%s: expected the value in place of %s, which nothing fills in".formatted(where(at), name.group()));
        }
        if (isBody(at) && text.startsWith("@")) {
            throw file.failure(
                    at,
                    "%s %s: expected bodyFile: %s, or, for that text, bodyBase64"
                            .formatted(where(at), text, text.substring(1)));
        }
    }

    /** Whether a file can contain a body as it is. */
    static boolean isPlainBody(String text) {
        return !text.startsWith("@")
                && !text.equals("~")
                && !NAME_IN_BRACES.matcher(text).find();
    }

    private static boolean isBody(String at) {
        return (at.startsWith("/operations/") || at.startsWith("/scenarios/")) && at.endsWith("/body");
    }

    private void checkKeys(ObjectNode object, JsonNode form, String at, String use) {
        JsonNode known = form.path("properties");
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String key = entry.getKey();
            JsonNode schema = known.has(key) ? known.get(key) : form.path("additionalProperties");
            if (schema.isObject()) {
                object.set(key, check(entry.getValue(), schema, at + "/" + key, use));
                continue;
            }
            List<String> names = List.copyOf(known.propertyNames());
            Optional<String> near = EditDistance.nearest(key, names);
            // A misspelt key isn't one that a later version added.
            if (toRun || near.isPresent() && !object.has(near.get())) {
                throw file.failure(
                        at + "/" + key,
                        "key %s: no such key, %s"
                                .formatted(
                                        key,
                                        near.map(name -> "did you mean " + name + "?")
                                                .orElse("expected " + String.join(", ", names))));
            }
        }
        for (String key : Schema.texts(form.path("required"))) {
            if (!object.hasNonNull(key)) {
                throw file.failure(at, "%s: expected a key %s".formatted(where(at), key));
            }
        }
    }

    private static boolean fits(JsonNode value, JsonNode form) {
        return switch (Schema.type(form)) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isString();
        };
    }

    /** The name of a part. */
    private static String where(String at) {
        return Origin.Part.dotted(at);
    }
}
