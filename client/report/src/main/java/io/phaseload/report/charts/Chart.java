package io.phaseload.report.charts;

import io.phaseload.verdict.rules.Wording;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
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
     * With the run's words for what the file calls requests and users: texts that differ are in {@code messages.json}.
     *
     * @param words of the run
     * @return a copy, or this chart
     */
    public Chart in(Wording words) {
        if (words == Wording.REQUESTS) {
            return this;
        }
        JsonNode texts = MAPPER.readTree(Resources.text("charts/messages.json"));
        JsonNode own = specification.deepCopy();
        for (String part : List.of("title", "description", "calculate")) {
            for (JsonNode of : own.findParents(part)) {
                String text = of.path(part).asString("");
                ((ObjectNode) of).set(part, texts.optional(text).orElse(of.path(part)));
            }
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
