package io.phaseload.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published schema says of each key what its setting says. */
class SettingTest {

    private static final Map<Kind.Type, List<String>> TYPES = Map.of(
            Kind.Type.FLAG, List.of("boolean"),
            Kind.Type.COUNT, List.of("integer"),
            Kind.Type.TIME, List.of("string"),
            Kind.Type.TEXT, List.of("string"),
            Kind.Type.LIST, List.of("array", "object"));

    private static JsonNode schema;

    @BeforeAll
    static void readTheSchema() throws Exception {
        try (InputStream in = Setting.class.getResourceAsStream("/io/phaseload/plan/plan.schema.json")) {
            schema = JsonMapper.shared().readTree(in);
        }
    }

    static Stream<Setting> keys() {
        return Arrays.stream(Setting.values()).filter(setting -> !setting.key().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void itsKeyIsInTheSchemaWithItsTypeAndLimits(Setting setting) {
        List<JsonNode> forms = forms(property(setting.key()));
        JsonNode form = forms.stream()
                .filter(any -> TYPES.get(setting.kind().type()).contains(type(any)))
                .findFirst()
                .orElseThrow();

        // Those that can be written as 10k share a form without a maximum.
        if (form.has("maximum")) {
            assertThat(form.get("maximum").asLong()).isEqualTo(setting.kind().most());
        }
        if (form.has("minimum")) {
            assertThat(form.get("minimum").asLong()).isEqualTo(setting.kind().least());
        }
        if (setting.kind().type() == Kind.Type.TEXT) {
            assertThat(form.path("enum").valueStream().map(JsonNode::asString).toList())
                    .isEqualTo(setting.kind().words());
        }
    }

    /** Milliseconds are the same settings in another unit. */
    @Test
    void theSchemaHasNoOtherKeys() {
        List<String> known = keys().map(Setting::key).toList();
        List<String> there = new ArrayList<>();
        for (String parent : List.of("", "/target", "/engine", "/client", "/serverMetrics")) {
            forms(parent.isEmpty() ? schema : property(parent)).stream()
                    .flatMap(form -> form.path("properties").propertyNames().stream())
                    .map(name -> parent + "/" + name)
                    .filter(key -> !List.of("/target", "/engine", "/client", "/serverMetrics")
                            .contains(key))
                    .filter(key -> !key.endsWith("Ms"))
                    .forEach(there::add);
        }
        assertThat(there).containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void itsDefaultIsWithinItsLimits(Setting setting) {
        if (setting.standard().isPresent()) {
            switch (setting.kind().type()) {
                case COUNT -> assertThat(Settings.NONE.count(setting))
                        .isBetween(setting.kind().least(), setting.kind().most());
                case TIME -> assertThat(Settings.NONE.time(setting)).isPositive();
                default -> assertThat(setting.standard().map(setting.kind()::parseText))
                        .isEqualTo(setting.standard());
            }
        }
    }

    private static JsonNode property(String pointer) {
        List<JsonNode> forms = List.of(schema);
        for (String key : pointer.substring(1).split("/")) {
            forms = forms.stream()
                    .filter(form -> form.path("properties").has(key))
                    .flatMap(form -> forms(form.get("properties").get(key)).stream())
                    .toList();
            assertThat(forms).as(pointer).isNotEmpty();
        }
        return JsonMapper.shared().createObjectNode().set("anyOf", array(forms));
    }

    private static JsonNode array(List<JsonNode> forms) {
        return JsonMapper.shared().createArrayNode().addAll(forms);
    }

    private static List<JsonNode> forms(JsonNode form) {
        if (form.has("$ref")) {
            return forms(schema.at(form.get("$ref").asString().substring(1)));
        }
        return form.has("anyOf")
                ? form.get("anyOf")
                        .valueStream()
                        .flatMap(any -> forms(any).stream())
                        .toList()
                : List.of(form);
    }

    private static String type(JsonNode form) {
        return form.path("type").asString("string");
    }
}
