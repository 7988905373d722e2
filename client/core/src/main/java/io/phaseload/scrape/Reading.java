package io.phaseload.scrape;

import io.phaseload.plan.metrics.ServerMetrics.Choice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One page of a server, as it was read once.
 *
 * @param choices the metrics that a plan chose, by the names of their figures; empty for all that are known
 */
record Reading(Map<String, Choice> choices, Metrics metrics) {

    /**
     * Reads a page: of Phaseload's own target, or in Prometheus's format.
     *
     * @throws IOException if it is neither
     */
    static Reading of(Map<String, Choice> choices, MetricsPage page) throws IOException {
        boolean json = page.contentType().contains("json") || page.text().startsWith("{");
        Metrics metrics = json && choices.isEmpty()
                ? TargetPage.metrics(page)
                : Metrics.of(PrometheusText.parse(page.contentType(), page.text()), page.nanos() / 1e9);
        if (choices.isEmpty()
                && KnownMetrics.figures(metrics.earlier(), metrics).isEmpty()) {
            throw new IOException("it has no metric that is known");
        }
        return new Reading(choices, metrics);
    }

    /**
     * Its figures.
     *
     * @param before the same page, read earlier
     * @return finite numbers by figure; rates of what went backwards are missing
     */
    Map<String, Double> since(Reading before) {
        if (choices.isEmpty()) {
            return KnownMetrics.figures(before.metrics, metrics);
        }
        return KnownMetrics.finite(choices.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, choice -> value(choice.getValue(), before.metrics))));
    }

    private double value(Choice choice, Metrics earlier) {
        String metric = choice.series().name();
        return choice.rate()
                ? metrics.rate(earlier, metric, choice.series()::covers)
                : metrics.sum(metric, choice.series()::covers);
    }

    /** Chosen metrics that are missing. */
    Set<String> missing() {
        return choices.values().stream()
                .map(Choice::series)
                .filter(series -> metrics.samples().getOrDefault(series.name(), List.of()).stream()
                        .noneMatch(sample -> series.covers(sample.series())))
                .map(Object::toString)
                .collect(Collectors.toSet());
    }
}
