package io.phaseload.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import tools.jackson.databind.JsonNode;

/**
 * k6's results: the summary of {@code --summary-export}, of {@code handleSummary()} and of
 * {@code --new-machine-readable-summary}, and the lines of {@code --out json}.
 */
final class K6Files {

    private K6Files() {}

    static ForeignRun summary(JsonNode whole) {
        Map<String, JsonNode> metrics = new HashMap<>();
        JsonNode results = whole.at("/results/metrics");
        results.valueStream().forEach(metric -> metrics.put(metric.path("name").asString(), metric.path("values")));
        whole.path("metrics")
                .properties()
                .forEach(of -> metrics.put(
                        of.getKey(), of.getValue().has("values") ? of.getValue().path("values") : of.getValue()));
        double requests = number(metrics, "http_reqs", "count");
        double rate = number(metrics, "http_reqs", "rate");
        double seconds = firstKnown(
                whole.at("/state/testRunDurationMs").asDouble(Double.NaN) / 1e3,
                whole.at("/config/duration").asDouble(Double.NaN),
                requests / rate);
        double iterations = number(metrics, "iterations", "count");
        double mostUsers = number(metrics, "vus", "max");
        double dropped = number(metrics, "dropped_iterations", "count");
        return new ForeignRun(
                ForeignFormat.K6_SUMMARY,
                requests,
                // In this metric, a pass is a request that failed.
                firstKnown(number(metrics, "http_req_failed", "passes"), number(metrics, "http_req_failed", "matches")),
                seconds,
                mostUsers,
                mostUsers,
                iterations * number(metrics, "iteration_duration", "avg") / 1e3,
                Double.isNaN(dropped) ? 0 : dropped,
                times(metrics.get("http_req_duration")),
                List.of(),
                Optional.empty());
    }

    private static double firstKnown(double... values) {
        return DoubleStream.of(values).filter(Double::isFinite).findFirst().orElse(Double.NaN);
    }

    private static double number(Map<String, JsonNode> metrics, String metric, String value) {
        JsonNode of = metrics.get(metric);
        return of == null ? Double.NaN : of.path(value).asDouble(Double.NaN);
    }

    private static ForeignTimes times(JsonNode values) {
        if (values == null) {
            return new ForeignTimes(Double.NaN, Double.NaN, Double.NaN, new TreeMap<>());
        }
        NavigableMap<Double, Double> percentiles = new TreeMap<>();
        values.properties().forEach(of -> {
            String percent = of.getKey().equals("med") ? "50" : of.getKey().replaceAll("^p\\(?([\\d.]+)\\)?$", "$1");
            if (!percent.isEmpty() && Character.isDigit(percent.charAt(0))) {
                percentiles.put(Double.valueOf(percent), of.getValue().asDouble());
            }
        });
        return new ForeignTimes(
                values.path("avg").asDouble(Double.NaN),
                values.path("min").asDouble(Double.NaN),
                values.path("max").asDouble(Double.NaN),
                percentiles);
    }

    static ForeignRun lines(Path file) throws IOException {
        MetricLines lines = new MetricLines();
        JsonRows.read(file, lines::add);
        return lines.run();
    }

    /** Points of metrics, in which each request has several. */
    private static final class MetricLines {
        private final ForeignRequests requests = new ForeignRequests();
        private double dropped;
        private double busySeconds;
        private double users;
        private double mostUsers = Double.NaN;
        private int usersRead;

        void add(JsonNode line) {
            if (!line.path("type").asString("").equals("Point")) {
                return;
            }
            JsonNode data = line.required("data");
            double value = data.required("value").asDouble();
            switch (line.required("metric").asString()) {
                case "http_req_duration" -> {
                    JsonNode tags = data.path("tags");
                    // A point's time is that of the end.
                    double end = OffsetDateTime.parse(data.required("time").asString())
                            .toInstant()
                            .toEpochMilli();
                    requests.add(
                            tags.path("name").asString(""),
                            end - value,
                            value,
                            tags.path("expected_response").asString("").equals("false"));
                }
                case "iteration_duration" -> busySeconds += value / 1e3;
                case "dropped_iterations" -> dropped += value;
                case "vus" -> {
                    users += value;
                    usersRead++;
                    mostUsers = Double.isNaN(mostUsers) ? value : Math.max(mostUsers, value);
                }
                default -> {
                    // Others aren't needed.
                }
            }
        }

        ForeignRun run() {
            return requests.run(
                    ForeignFormat.K6_LINES,
                    usersRead == 0 ? Double.NaN : users / usersRead,
                    mostUsers,
                    busySeconds,
                    dropped);
        }
    }
}
