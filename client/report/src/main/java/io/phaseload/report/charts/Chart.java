package io.phaseload.report.charts;

import io.phaseload.result.Wording;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Vega-Lite file in the folder {@code charts}.
 *
 * @param name the file's name without its extension
 * @param table the table that it shows, possibly along with others; without rows there is no chart
 * @param specification the file's content
 */
public record Chart(String name, String table, JsonNode specification) {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");
    private static final Set<String> OUTCOMES = Set.of("succeeded", "failed");
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /**
     * Reads a chart.
     *
     * @param name the file's name without its extension
     * @param table the table that it shows
     * @return the chart
     */
    public static Chart of(String name, String table) {
        return new Chart(name, table, MAPPER.readTree(Resources.text("charts/" + name + ".vl.json")));
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
     * With the run's words for what the file calls requests and users.
     *
     * @param words of the run
     * @return a copy
     */
    public Chart in(Wording words) {
        JsonNode own = specification.deepCopy();
        for (String part : List.of("title", "description")) {
            for (JsonNode of : own.findParents(part)) {
                if (of.path(part).isString()) {
                    ((ObjectNode) of).put(part, words.text(of.path(part).asString()));
                }
            }
        }
        // Texts in an expression are in single quotes; the rest of it names columns.
        for (JsonNode of : own.findParents("calculate")) {
            ((ObjectNode) of)
                    .put(
                            "calculate",
                            QUOTED.matcher(of.path("calculate").asString())
                                    .replaceAll(quoted -> Matcher.quoteReplacement(words.text(quoted.group()))));
        }
        return new Chart(name, table, named(own, words));
    }

    /** Columns that the chart itself makes are the names of its lines. */
    private static JsonNode named(JsonNode chart, Wording words) {
        String text = chart.toString();
        for (JsonNode made : chart.findValues("as")) {
            String name = made.asString("");
            if (OUTCOMES.contains(name)) {
                String own = Matcher.quoteReplacement(words.heading(name));
                text = text.replaceAll("([\"'])%s\\1".formatted(name), "$1" + own + "$1");
            }
        }
        return MAPPER.readTree(text);
    }

    /**
     * The content of a chart, in a few words.
     *
     * @param name the file's name without its extension
     * @return its heading
     */
    public static String title(String name) {
        return of(name).title();
    }

    /**
     * Its content, in a few words.
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
     * Its content, for people who are new to it, or can't see it.
     *
     * @return whole sentences
     */
    public String description() {
        return specification.path("description").asString();
    }
}
