package io.phaseload.scrape;

import io.phaseload.plan.metrics.ServerMetrics.Choice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One page of a server, as it was read once. */
sealed interface Reading {

    /**
     * Its figures.
     *
     * @param before the same page, read earlier
     * @return finite numbers by figure; rates of what went backwards are missing
     */
    Map<String, Double> since(Reading before);

    /** Chosen metrics that are missing. */
    Set<String> missing();

    /**
     * Reads a page: of Phaseload's own target, or in Prometheus's format.
     *
     * @throws IOException if it is neither
     */
    static Reading of(Map<String, Choice> choices, MetricsPage page) throws IOException {
        boolean json = page.contentType().contains("json") || page.text().startsWith("{");
        if (json && choices.isEmpty()) {
            return new OfTarget(TargetPage.of(page));
        }
        Metrics metrics = Metrics.of(PrometheusText.parse(page.contentType(), page.text()), page.nanos() / 1e9);
        return choices.isEmpty() ? Known.of(metrics) : new Chosen(choices, metrics);
    }

    /** Of Phaseload's own target. */
    record OfTarget(TargetPage page) implements Reading {

        @Override
        public Map<String, Double> since(Reading before) {
            return page.since(before instanceof OfTarget earlier ? earlier.page : page);
        }

        @Override
        public Set<String> missing() {
            return Set.of();
        }
    }

    /** The known metrics of a page in Prometheus's format. */
    record Known(Metrics metrics) implements Reading {

        static Known of(Metrics metrics) throws IOException {
            if (KnownMetrics.figures(metrics.earlier(), metrics).isEmpty()) {
                throw new IOException("it has no metric that is known");
            }
            return new Known(metrics);
        }

        @Override
        public Map<String, Double> since(Reading before) {
            return KnownMetrics.figures(before instanceof Known earlier ? earlier.metrics : metrics, metrics);
        }

        @Override
        public Set<String> missing() {
            return Set.of();
        }
    }

    /** The chosen metrics of a page in Prometheus's format. */
    record Chosen(Map<String, Choice> choices, Metrics metrics) implements Reading {

        @Override
        public Map<String, Double> since(Reading before) {
            Metrics earlier = before instanceof Chosen page ? page.metrics : metrics;
            return KnownMetrics.finite(choices.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, choice -> value(choice.getValue(), earlier))));
        }

        private double value(Choice choice, Metrics earlier) {
            String metric = choice.series().name();
            return choice.rate()
                    ? metrics.rate(earlier, metric, choice.series()::covers)
                    : metrics.sum(metric, choice.series()::covers);
        }

        @Override
        public Set<String> missing() {
            return choices.values().stream()
                    .map(Choice::series)
                    .filter(series -> metrics.samples().getOrDefault(series.name(), List.of()).stream()
                            .noneMatch(sample -> series.covers(sample.series())))
                    .map(Object::toString)
                    .collect(Collectors.toSet());
        }
    }
}
