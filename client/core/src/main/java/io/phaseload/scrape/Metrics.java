package io.phaseload.scrape;

import io.phaseload.plan.metrics.Series;
import io.phaseload.scrape.PrometheusText.MetricSample;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All series of one page in Prometheus's format.
 *
 * @param samples by the metric's name
 */
record Metrics(Map<String, List<MetricSample>> samples, double seconds) {

    static Metrics of(List<MetricSample> page, double seconds) {
        return new Metrics(
                page.stream()
                        .collect(Collectors.groupingBy(sample -> sample.series().name())),
                seconds);
    }

    /** The same a second earlier: as if nothing had happened. */
    Metrics earlier() {
        return new Metrics(samples, seconds - 1);
    }

    /** The sum of a metric's series; NaN if there are none. */
    double sum(String metric, Predicate<Series> wanted) {
        return samples.getOrDefault(metric, List.of()).stream()
                .filter(sample -> wanted.test(sample.series()))
                .mapToDouble(MetricSample::value)
                .reduce((one, other) -> one + other)
                .orElse(Double.NaN);
    }

    /**
     * How fast a counter grows per second; NaN if it goes backwards. One that wasn't there before began with nothing:
     * many exporters tell it only then.
     */
    double rate(Metrics before, String metric, Predicate<Series> wanted) {
        double earlier = before.sum(metric, wanted);
        double increase = sum(metric, wanted) - (Double.isNaN(earlier) ? 0 : earlier);
        double passed = seconds - before.seconds;
        return increase < 0 || passed <= 0 ? Double.NaN : increase / passed;
    }

    /** The values of a label in a metric's series. */
    List<String> values(String metric, String label) {
        return samples.getOrDefault(metric, List.of()).stream()
                .map(sample -> sample.series().labels().getOrDefault(label, ""))
                .distinct()
                .toList();
    }
}
