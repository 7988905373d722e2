package io.phaseload.scrape;

import io.phaseload.plan.metrics.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parses pages in Prometheus text format 0.0.4 or OpenMetrics text, whose values look much the same. Types, help,
 * timestamps and exemplars are skipped.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">exposition formats</a>
 */
final class PrometheusText {

    private static final Pattern NUMBER = Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");

    private PrometheusText() {}

    /** A line with a value, which may be NaN or infinite. */
    record MetricSample(Series series, double value) {}

    /**
     * Reads a page.
     *
     * @throws IOException naming the first malformed line
     */
    static List<MetricSample> parse(String contentType, String text) throws IOException {
        List<MetricSample> samples = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                samples.add(sample(line));
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        "line %d isn't in Prometheus text format: %s".formatted(i + 1, shortened(line)), e);
            }
        }
        if (contentType.startsWith("application/openmetrics-text")
                && !text.stripTrailing().endsWith("# EOF")) {
            throw new IOException("the page ends before its # EOF");
        }
        return samples;
    }

    private static MetricSample sample(String line) {
        int end = endOfSeries(line);
        // Value, timestamp; what follows a # is an exemplar.
        String[] rest = line.substring(end).replaceFirst("[ \t]#.*", "").strip().split("[ \t]+");
        if (rest.length > 2 || rest.length == 2 && !NUMBER.matcher(rest[1]).matches()) {
            throw new IllegalArgumentException("expected a value, and optionally a time");
        }
        return new MetricSample(Series.parse(line.substring(0, end).strip()), number(rest[0]));
    }

    /** The end of the braces, or of the name if there are none. */
    private static int endOfSeries(String line) {
        int nameEnd = 0;
        while (nameEnd < line.length() && " \t{".indexOf(line.charAt(nameEnd)) < 0) {
            nameEnd++;
        }
        int brace = nameEnd;
        while (brace < line.length() && " \t".indexOf(line.charAt(brace)) >= 0) {
            brace++;
        }
        if (brace == line.length() || line.charAt(brace) != '{') {
            return nameEnd;
        }
        boolean quoted = false;
        for (int i = brace; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '}' && !quoted) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("expected a }");
    }

    private static double number(String text) {
        if (NUMBER.matcher(text).matches()) {
            return Double.parseDouble(text);
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> throw new IllegalArgumentException("expected a number");
        };
    }

    private static String shortened(String line) {
        return line.length() <= 80 ? line : line.substring(0, 80) + "…";
    }
}
