package io.phaseload.plan.metrics;

import io.phaseload.host.HostFigure;
import io.phaseload.input.AsciiUri;
import io.phaseload.options.ValueException;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pages with servers' own figures under load, and the metrics that are read there once a second.
 *
 * @param pages by the name of the server, which comes before its figures' names in the result, with a dot; a server
 *     that is alone may have the empty name, without a dot. An address is one as a target's, or what follows the
 *     target's, from a slash on; it leads to {@code /metrics.json} of Phaseload's own target, or to any page in
 *     Prometheus's text format
 * @param choices the metrics that are read from Prometheus pages, by their names in the result; empty for the known
 *     ones of each page
 */
public record ServerMetrics(Map<String, URI> pages, Map<String, Choice> choices) {

    /** The figures that are read by default, as far as a page has them. */
    public static final List<String> KNOWN_FIGURES = Stream.of(
                    Stream.of("cpuPercent", "inFlight", "busyThreads", "heapMiB"),
                    Stream.of(
                            "maxThreads",
                            "busyThreadsPercent",
                            "queuedRequests",
                            "acceptQueue",
                            "acceptQueueLimit",
                            "openConnections",
                            "requestsPerSecond",
                            "serviceMs",
                            "rejectedPerSecond",
                            "poolBusy",
                            "poolMax",
                            "poolWaiting",
                            "cpuCores"),
                    HostFigure.namesOfSystem().stream())
            .flatMap(names -> names)
            .distinct()
            .toList();

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    /**
     * A figure of a Prometheus page: the sum of all matching series.
     *
     * @param series the condition of matching series
     * @param rate {@code true} for the growth of the sum per second, for counters
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
            return new Choice(Series.parse(rate ? text.substring(RATE.length(), text.length() - 1) : text), rate);
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
        Map<String, URI> checked = new LinkedHashMap<>();
        for (Map.Entry<String, URI> page : pages.entrySet()) {
            if (!page.getKey().isEmpty()) {
                checkName("server", page.getKey());
            } else if (pages.size() > 1) {
                throw new ValueException("several servers", "a name for each: name=" + page.getValue());
            }
            checked.put(page.getKey(), checked(page.getValue()));
        }
        if (checked.isEmpty()) {
            throw new ValueException("server metrics", "one server or more");
        }
        choices.keySet().forEach(name -> checkName("metric", name));
        pages = Collections.unmodifiableMap(checked);
        choices = Collections.unmodifiableMap(new LinkedHashMap<>(choices));
    }

    /**
     * One server, without a name.
     *
     * @param uri the address of its figures
     * @param choices the metrics that are read there; empty for the known ones of its page
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public ServerMetrics(URI uri, Map<String, Choice> choices) {
        this(Map.of("", uri), choices);
    }

    private static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new ValueException(
                    "%s name '%s'".formatted(what, name),
                    "a lower-case letter, then lower-case letters, digits and '_'");
        }
    }

    private static URI checked(URI uri) {
        URI ascii = AsciiUri.of(uri);
        return isBelowTarget(ascii) ? ascii : AsciiUri.ofServer(ascii);
    }

    private static boolean isBelowTarget(URI uri) {
        return !uri.isAbsolute()
                && uri.getRawAuthority() == null
                && uri.getRawFragment() == null
                && uri.getRawPath().startsWith("/");
    }

    /**
     * A server's page.
     *
     * @param server its name
     * @return absolute, or below the target
     */
    public URI page(String server) {
        return Objects.requireNonNull(pages.get(server), server);
    }

    /**
     * The name of a server's figure in the result.
     *
     * @param server its name
     * @param figure such as {@code cpuPercent}
     * @return such as {@code a.cpuPercent}
     */
    public static String name(String server, String figure) {
        return server.isEmpty() ? figure : server + "." + figure;
    }

    /** {@return the names of what is read: of each server, in order} */
    public List<String> names() {
        return pages.keySet().stream()
                .flatMap(server -> figures().stream().map(figure -> name(server, figure)))
                .toList();
    }

    /** {@return the names of what is read of each server: in order} */
    public List<String> figures() {
        return choices.isEmpty() ? KNOWN_FIGURES : List.copyOf(choices.keySet());
    }
}
