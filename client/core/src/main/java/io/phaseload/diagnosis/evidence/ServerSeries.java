package io.phaseload.diagnosis.evidence;

import io.phaseload.plan.metrics.ServerMetrics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * The figures of one server in a phase, second by second.
 *
 * @param name empty for a server that is alone
 * @param seconds the seconds in which it reported something, in order: {@link Figures} by their name in the result
 */
public record ServerSeries(String name, List<Map<String, Double>> seconds) {

    /** All servers that reported something, in the order of their names. */
    static List<ServerSeries> of(List<Second> seconds) {
        return seconds.stream()
                .flatMap(second -> second.server().keySet().stream())
                .map(figure -> figure.substring(0, Math.max(0, figure.indexOf('.'))))
                .distinct()
                .sorted()
                .map(name -> of(name, seconds))
                .toList();
    }

    private static ServerSeries of(String name, List<Second> seconds) {
        String prefix = ServerMetrics.name(name, "");
        return new ServerSeries(
                name,
                seconds.stream()
                        .map(Second::server)
                        .filter(told -> told.keySet().stream().anyMatch(figure -> figure.startsWith(prefix)))
                        .toList());
    }

    /** How it is called in a sentence. */
    public String inWords() {
        return name.isEmpty() ? "the server" : "server " + name;
    }

    /** A figure of a second; NaN if it wasn't told. */
    public double value(Map<String, Double> second, String figure) {
        return second.getOrDefault(ServerMetrics.name(name, figure), Double.NaN);
    }

    /** All values of a figure, in order, without gaps. */
    public double[] values(String figure) {
        return seconds.stream()
                .map(second -> second.get(ServerMetrics.name(name, figure)))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** The mean of a figure; NaN if it was never told. */
    public double mean(String figure) {
        return DoubleStream.of(values(figure)).average().orElse(Double.NaN);
    }

    /** How many of its seconds are such. */
    public long count(Predicate<Map<String, Double>> such) {
        return seconds.stream().filter(such).count();
    }
}
