package io.phaseload.report.charts;

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
    public Theme() {
        this("light", "dark");
    }

    private Theme(String inLight, String inDark) {
        config = merged(
                MAPPER.readTree(Resources.text("charts/" + inLight + ".json")),
                MAPPER.readTree(Resources.text("charts/" + inDark + ".json")));
    }

    /**
     * The light look alone, for files.
     *
     * @return a theme without variables
     */
    public static Theme light() {
        return new Theme("light", "light");
    }

    /**
     * Vega-Lite's {@code config}.
     *
     * @return a tree with variables for colours
     */
    public JsonNode config() {
        return config;
    }

    /**
     * The colour at a place in {@code light.json} and {@code dark.json}.
     *
     * @param path the names of its keys
     * @return that of the reader's look, and the light one where styles are refused
     */
    public String color(String... path) {
        JsonNode node = config;
        for (String key : path) {
            node = node.path(key);
        }
        return color(node);
    }

    /**
     * A colour of the range {@code category}.
     *
     * @param index from 0; starts over when all are used
     * @return as {@link #color(String...)}
     */
    public String color(int index) {
        JsonNode range = config.path("range").path("category");
        return color(range.path(index % range.size()));
    }

    /**
     * Colours of a range.
     *
     * @param range its name in {@code light.json}
     * @return as {@link #color(String...)}, in order
     */
    public List<String> colors(String range) {
        return config.path("range").path(range).valueStream().map(this::color).toList();
    }

    /**
     * Colours for the lines of a chart.
     *
     * @return those, or the range {@code category}
     */
    public List<String> colors(Chart chart) {
        List<String> own = chart.colors();
        return own.isEmpty() ? colors("category") : own;
    }

    private String color(JsonNode node) {
        String color = node.asString();
        return color.startsWith("var(")
                ? color.replace(")", "," + light.get(color.substring(4, color.length() - 1)) + ")")
                : color;
    }

    /**
     * The variables' values.
     *
     * @return a style sheet
     */
    public String css() {
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
