package io.phaseload.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The look of charts. In a page, where {@code light.json} and {@code dark.json} differ, they get a CSS variable, so
 * that the browser can change colours without redrawing, and prints in light colours.
 */
public final class Theme {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Map<String, String> light = new LinkedHashMap<>();
    private final Map<String, String> dark = new LinkedHashMap<>();
    private final JsonNode config;

    /** Reads both looks. */
    Theme() {
        config = merged(
                MAPPER.readTree(Resources.text("charts/light.json")),
                MAPPER.readTree(Resources.text("charts/dark.json")));
    }

    /**
     * Colours of the light look.
     *
     * @param range what they are for, as in {@code light.json}
     * @return such as {@code #0072b2}, in order
     */
    public static List<String> light(String range) {
        return MAPPER.readTree(Resources.text("charts/light.json"))
                .path("range")
                .path(range)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /**
     * A colour of the light look.
     *
     * @param style what it is for, as in {@code light.json}
     * @return such as {@code #7f93a8}
     */
    public static String lightStyle(String style) {
        return MAPPER.readTree(Resources.text("charts/light.json"))
                .path("style")
                .path(style)
                .path("color")
                .asString();
    }

    /** Vega-Lite's {@code config}. */
    JsonNode config() {
        return config;
    }

    /** Colours of the look that a reader has, and the light ones where styles are refused. */
    List<String> colors(String range) {
        return config.path("range")
                .path(range)
                .valueStream()
                .map(JsonNode::asString)
                .map(color -> color.startsWith("var(")
                        ? color.replace(")", "," + light.get(color.substring(4, color.length() - 1)) + ")")
                        : color)
                .toList();
    }

    String css() {
        return ":root {"
                + declarations(light)
                + "}\n@media screen and (prefers-color-scheme: dark) {\n"
                + "  :root {"
                + declarations(dark)
                + "}\n}\n";
    }

    private static String declarations(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + ":" + variable.getValue())
                .collect(Collectors.joining(";"));
    }

    private JsonNode merged(JsonNode inLight, JsonNode inDark) {
        if (inLight.isObject()) {
            ObjectNode object = MAPPER.createObjectNode();
            inLight.properties()
                    .forEach(
                            field -> object.set(field.getKey(), merged(field.getValue(), inDark.path(field.getKey()))));
            return object;
        }
        if (inLight.isArray()) {
            ArrayNode array = MAPPER.createArrayNode();
            for (int i = 0; i < inLight.size(); i++) {
                array.add(merged(inLight.get(i), inDark.path(i)));
            }
            return array;
        }
        if (inLight.equals(inDark)) {
            return inLight;
        }
        String name = "--chart-" + light.size();
        light.put(name, inLight.asString());
        dark.put(name, inDark.asString());
        return MAPPER.getNodeFactory().stringNode("var(" + name + ")");
    }
}
