package io.phaseload.plan.metrics;

import io.phaseload.options.ValueException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name and labels of a Prometheus time series.
 *
 * @param name of the metric
 * @param labels by name, in order
 */
public record Series(String name, Map<String, String> labels) {

    private static final String LABEL =
            "([a-zA-Z_]\\w*+)[ \t]*+=[ \t]*+\"([^\"\\\\]*+(?:\\\\[\\\\\"n][^\"\\\\]*+)*+)\"[ \t]*+";
    private static final Pattern LABELS = Pattern.compile("\\G" + LABEL + "(?:,[ \t]*+|$)");
    private static final Pattern SERIES =
            Pattern.compile("([a-zA-Z_:][\\w:]*+)[ \t]*+(?:\\{[ \t]*+(.*)\\})?", Pattern.DOTALL);
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    /** Keeps the labels from being changed. */
    public Series {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /**
     * Reads what precedes the value in Prometheus text format.
     *
     * @param text such as {@code tomcat_threads_busy_threads{name="http-nio-8080"}}
     * @throws IllegalArgumentException if it isn't one
     */
    public static Series parse(String text) {
        Matcher series = SERIES.matcher(text);
        if (!series.matches()) {
            throw noSeries(text);
        }
        Map<String, String> labels = new LinkedHashMap<>();
        if (series.group(2) != null) {
            Matcher label = LABELS.matcher(series.group(2));
            int end = 0;
            while (label.find()) {
                end = label.end();
                if (labels.put(label.group(1), unescape(label.group(2))) != null) {
                    throw noSeries(text);
                }
            }
            if (end < series.group(2).length()) {
                throw noSeries(text);
            }
        }
        return new Series(series.group(1), labels);
    }

    /**
     * Whether another series has this name and at least these labels. An empty label matches a missing one.
     *
     * @param other another series
     * @return true if it matches
     */
    public boolean covers(Series other) {
        return name.equals(other.name)
                && labels.entrySet().stream()
                        .allMatch(label -> label.getValue().equals(other.labels.getOrDefault(label.getKey(), "")));
    }

    private static String unescape(String value) {
        return ESCAPE.matcher(value)
                .replaceAll(escape -> escape.group(1).equals("n") ? "\n" : Matcher.quoteReplacement(escape.group(1)));
    }

    private static IllegalArgumentException noSeries(String text) {
        return new ValueException("metric '%s'".formatted(text), "name or name{label=\"value\",…}");
    }

    @Override
    public String toString() {
        if (labels.isEmpty()) {
            return name;
        }
        StringBuilder text = new StringBuilder(name);
        char before = '{';
        for (Map.Entry<String, String> label : labels.entrySet()) {
            String value = label.getValue();
            value = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            text.append(before)
                    .append(label.getKey())
                    .append("=\"")
                    .append(value)
                    .append('"');
            before = ',';
        }
        return text.append('}').toString();
    }
}
