package io.phaseload.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The published schema of a plan's file, which declares all that can be set. Keys of its own begin with {@code x-};
 * {@code docs/decisions} describes them.
 */
final class Schema {

    static final JsonNode ROOT = read();

    private Schema() {}

    private static JsonNode read() {
        try (InputStream in = Schema.class.getResourceAsStream("/io/phaseload/planfile/plan.schema.json")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return PlanText.parse(text, true, SettingsException::new).root();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The alternatives for a value, with references resolved. */
    static List<JsonNode> forms(JsonNode schema) {
        JsonNode form = schema;
        while (form.has("$ref")) {
            form = ROOT.at(form.get("$ref").asString().substring(1));
        }
        if (!form.has("anyOf")) {
            return List.of(form);
        }
        List<JsonNode> forms = new ArrayList<>();
        form.get("anyOf").forEach(any -> forms.addAll(forms(any)));
        return forms;
    }

    /** The type of a value; an enumeration has none. */
    static String type(JsonNode form) {
        return form.path("type").asString("string");
    }

    static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
