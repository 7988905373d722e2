package io.phaseload.scrape;

import io.phaseload.host.HostFigure;
import io.phaseload.plan.metrics.Series;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The figures of common exporters, recognised by the names of their metrics: {@code metrics.txt}. */
final class KnownMetrics {

    private static final Map<String, Double> UNITS =
            Map.of("1", 1.0, "%", 100.0, "ms", 1e3, "MiB", 0x1p-20, "Mbit", 8 / 1e6, "ns%", 100 / 1e9);

    private static final Pattern ROW = Pattern.compile("(\\w+)  (\\S+)  (.+?)(?: by (\\w+))?");
    private static final Pattern OPERAND =
            Pattern.compile("(?:([-+/]) )?(\\w+)(?:\\{(\\w+)(!?=)([\\w|]+)\\})?(/s)?(?: |$)");

    /** In order: where several know a figure, the first counts. */
    private static final List<FigureRule> RULES =
            Stream.concat(ofHost(), rows()).map(FigureRule::of).toList();

    private KnownMetrics() {}

    private static Stream<String> ofHost() {
        return HostFigure.namesOfSystem().stream()
                .map(name -> name + "  1  phaseload_host_" + HostFigure.lowerCase(name, "_"));
    }

    private static Stream<String> rows() {
        try (InputStream in = KnownMetrics.class.getResourceAsStream("metrics.txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A line of the table.
     *
     * @param label of whose values the highest counts; {@code null} for all series together
     */
    private record FigureRule(String figure, double factor, List<Operand> operands, String label) {

        static FigureRule of(String line) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                throw new IllegalStateException(line);
            }
            List<Operand> operands =
                    OPERAND.matcher(row.group(3)).results().map(Operand::of).toList();
            return new FigureRule(row.group(1), UNITS.get(row.group(2)), operands, row.group(4));
        }

        /** NaN if the pages don't have it, and for 0 of 0. */
        double of(Metrics before, Metrics now) {
            if (label == null) {
                return of(before, now, any -> true);
            }
            return now.values(operands.get(0).metric(), label).stream()
                    .mapToDouble(value -> of(before, now, with(label, List.of(value))))
                    .filter(Double::isFinite)
                    .max()
                    .orElse(Double.NaN);
        }

        private double of(Metrics before, Metrics now, Predicate<Series> some) {
            double result = 0;
            for (Operand operand : operands) {
                double value = operand.of(before, now, some);
                result = switch (operand.operator()) {
                    case "/" -> result / value;
                    case "-" -> result - value;
                    default -> result + value;
                };
            }
            return factor * result;
        }
    }

    /** Some series of a metric, as they are or as they grow, and what happens to the operands before with them. */
    private record Operand(String operator, String metric, Predicate<Series> wanted, boolean rate) {

        static Operand of(MatchResult text) {
            Predicate<Series> wanted = any -> true;
            if (text.group(3) != null) {
                wanted = with(text.group(3), List.of(text.group(5).split("\\|")));
            }
            return new Operand(
                    text.group(1) == null ? "+" : text.group(1),
                    text.group(2),
                    "!=".equals(text.group(4)) ? wanted.negate() : wanted,
                    text.group(6) != null);
        }

        double of(Metrics before, Metrics now, Predicate<Series> some) {
            Predicate<Series> both = some.and(wanted);
            return rate ? now.rate(before, metric, both) : now.sum(metric, both);
        }
    }

    /** Series with one of these values. */
    private static Predicate<Series> with(String label, List<String> values) {
        return series -> values.contains(series.labels().getOrDefault(label, ""));
    }

    /**
     * The known metrics of a page.
     *
     * @param before the same page, read earlier
     * @return finite numbers by figure
     */
    static Map<String, Double> figures(Metrics before, Metrics now) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (FigureRule rule : RULES) {
            double value = rule.of(before, now);
            if (Double.isFinite(value)) {
                figures.putIfAbsent(rule.figure(), value);
            }
        }
        // Unknown unless both are known.
        double share =
                100 * figures.getOrDefault("busyThreads", Double.NaN) / figures.getOrDefault("maxThreads", Double.NaN);
        figures.put("busyThreadsPercent", share);
        return finite(figures);
    }

    static Map<String, Double> finite(Map<String, Double> figures) {
        Map<String, Double> finite = new LinkedHashMap<>(figures);
        finite.values().removeIf(value -> !Double.isFinite(value));
        return finite;
    }
}
