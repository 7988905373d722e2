package io.phaseload.report;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Vega-Lite file in the folder {@code charts}.
 *
 * @param name the file's name without its extension
 * @param table the table that it shows, possibly along with others; without rows there is no chart
 * @param specification the file's content
 */
public record Chart(String name, String table, JsonNode specification) {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /**
     * Reads a chart.
     *
     * @param name the file's name without its extension
     * @param table the table that it shows
     * @return the chart
     */
    static Chart of(String name, String table) {
        return new Chart(
                name, table, MAPPER.readTree(Resources.text("charts/" + name + ".vl.json")));
    }

    /**
     * Reads a chart, whatever it shows.
     *
     * @param name the file's name without its extension
     * @return the chart
     */
    public static Chart of(String name) {
        return of(name, "");
    }

    /**
     * What a chart shows, in a few words.
     *
     * @param name the file's name without its extension
     * @return its heading
     */
    public static String title(String name) {
        return of(name).title();
    }

    /**
     * What it shows, in a few words.
     *
     * @return a heading
     */
    public String title() {
        return specification.path("title").asString();
    }

    /**
     * The colours that its file has of its own, where those of the theme have another meaning.
     *
     * @return such as {@code #0072b2}, in order; may be empty
     */
    public List<String> colors() {
        return specification.findParents("range").stream()
                .map(scale -> scale.path("range"))
                .filter(range -> range.path(0).asString("").startsWith("#"))
                .findFirst()
                .map(range -> range.valueStream().map(JsonNode::asString).toList())
                .orElse(List.of());
    }

    /**
     * What it shows, for people who are new to it, or can't see it.
     *
     * @return whole sentences
     */
    public String description() {
        return specification.path("description").asString();
    }
}
