package io.phaseload.plan;

import io.phaseload.input.AsciiUri;
import io.phaseload.plan.check.Series;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the target tells of itself while it is under load, and what is read there once a second.
 *
 * @param uri as a target's, or what follows the target's, from a slash on; it leads to {@code
 *     /metrics.json} of Phaseload's own target, or to any page in Prometheus's text format
 * @param choices what is read of a Prometheus page, by the name that it has in the result: a small
 *     letter, then small letters, digits and {@code _}; empty for {@code /metrics.json}
 */
public record ServerMetrics(URI uri, Map<String, Choice> choices) {

    /** What is read of {@code /metrics.json}. */
    public static final List<String> TARGET_FIGURES =
            List.of("cpuPercent", "inFlight", "busyThreads", "heapMiB");

    /**
     * A figure of a Prometheus page: the sum of all series that are covered.
     *
     * @param series tells them
     * @param rate {@code true} for how fast the sum grows, per second: for counters
     */
    public record Choice(Series series, boolean rate) {

        private static final String RATE = "rate(";

        /**
         * Reads a choice.
         *
         * @param text a series, or {@code rate(series)}
         * @throws IllegalArgumentException if it isn't one
         */
        public static Choice parse(String text) {
            boolean rate = text.startsWith(RATE) && text.endsWith(")");
            return new Choice(
                    Series.parse(rate ? text.substring(RATE.length(), text.length() - 1) : text),
                    rate);
        }

        @Override
        public String toString() {
            return rate ? RATE + series + ")" : series.toString();
        }
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public ServerMetrics {
        uri = AsciiUri.of(uri);
        if (!isBelowTarget(uri)) {
            Target.of(uri);
        }
        for (String name : choices.keySet()) {
            if (!name.matches("[a-z][a-z0-9_]{0,39}")) {
                throw new IllegalArgumentException(
                        "metric name '%s': expected a small letter, then small letters, digits and '_'"
                                .formatted(name));
            }
        }
        choices = Collections.unmodifiableMap(new LinkedHashMap<>(choices));
    }

    private static boolean isBelowTarget(URI uri) {
        return !uri.isAbsolute()
                && uri.getRawAuthority() == null
                && uri.getRawFragment() == null
                && uri.getRawPath().startsWith("/");
    }

    /**
     * The whole address.
     *
     * @param target the one that tells of itself
     * @return an absolute URI
     */
    public URI of(Target target) {
        if (!isBelowTarget(uri)) {
            return uri;
        }
        String authority = target.uri().getScheme() + "://" + target.uri().getRawAuthority();
        return URI.create(authority + target.requestTarget(uri.toString()));
    }

    /** {@return the names of what is read: in order} */
    public List<String> names() {
        return choices.isEmpty() ? TARGET_FIGURES : List.copyOf(choices.keySet());
    }
}
