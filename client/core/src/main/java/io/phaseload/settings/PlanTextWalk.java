package io.phaseload.settings;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Shows all texts of a plan to {@link PlanTexts}.
 *
 * @param texts puts others in their place
 * @param scenarios true if the plan has scenarios, whose requests have the target's headers
 */
record PlanTextWalk(PlanTexts texts, boolean scenarios) {

    /** Keys of steps whose texts are the same for all users. */
    private static final Set<String> PLAIN = Set.of(
            "think",
            "repeat",
            "extract",
            "onFailure",
            "bodyFile",
            "file",
            "fileName",
            "type",
            "within",
            "matches",
            "ping",
            "binary",
            "metrics",
            "eventStream",
            "subprotocols");

    /** Checks that are the same for all users. */
    private static final Pattern FIXED =
            Pattern.compile("(warn:)?(not:)?(status|time|size|type|bytes|sha256|schema|count)\\b");

    private static final Set<String> NAMES = Set.of("name", "group", "method", "code");

    /** Keys of steps below which keys are the user's own. */
    private static final Set<String> TEMPLATES = Set.of("json", "form", "headers");

    /** The texts of a part. */
    private enum Kind {
        PLAIN,
        TEMPLATE,
        /** A text to compare a body or a value with is a template; a number is not. */
        CHECK,
        /** By their keys. */
        STEP
    }

    static void through(JsonNode plan, PlanTexts texts) {
        PlanTextWalk walk = new PlanTextWalk(texts, plan.path("scenarios").isArray());
        walk.values(plan.path("variables"), "/variables");
        walk.values(plan.path("data"), "/data");
        walk.visit(plan, "", Kind.PLAIN);
    }

    private void visit(JsonNode node, String at, Kind kind) {
        if (node instanceof ObjectNode object) {
            for (String key : List.copyOf(object.propertyNames())) {
                if (kind != Kind.STEP || !NAMES.contains(key)) {
                    String there = at + "/" + key;
                    if (kind == Kind.STEP && key.equals("extract")) {
                        values(object.get(key), there);
                    }
                    object.set(key, visited(object.get(key), there, kind(there, key, kind)));
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, visited(array.get(i), at + "/" + i, kind));
            }
        }
    }

    private JsonNode visited(JsonNode node, String at, Kind kind) {
        if (!node.isString()) {
            visit(node, at, kind);
            return node;
        }
        if (kind == Kind.PLAIN
                || kind == Kind.CHECK && FIXED.matcher(node.asString()).lookingAt()) {
            return StringNode.valueOf(texts.text(at, node.asString()));
        }
        texts.template(node.asString());
        return node;
    }

    private Kind kind(String at, String key, Kind around) {
        if (around == Kind.STEP) {
            Kind other = TEMPLATES.contains(key) ? Kind.TEMPLATE : Kind.STEP;
            return PLAIN.contains(key) ? Kind.PLAIN : key.equals("checks") ? Kind.CHECK : other;
        }
        if (at.equals("/scenarios")) {
            return Kind.STEP;
        }
        return scenarios && at.equals("/target/headers") ? Kind.TEMPLATE : around;
    }

    private void values(JsonNode all, String at) {
        all.propertyNames().forEach(name -> texts.value(at + "/" + name));
    }
}
