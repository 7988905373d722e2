package io.phaseload.compare;

import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.stats.BatchMeans;
import io.phaseload.stats.Estimate;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A figure of one side: of several trials, what they say together; of a single run, what its
 * intervals say.
 *
 * @param value in the figure's unit, or {@code null} if it can't be told
 * @param estimate the figure with its error, or {@code null}: then {@code reason} says why; times
 *     in ns, failures in parts of 1
 * @param reason why there is no estimate, or an empty text
 */
record Measured(Double value, Estimate estimate, String reason) {

    private static final double NANOS_PER_MILLI = 1e6;

    private static Measured missing(Double value, String reason) {
        return new Measured(value, null, reason);
    }

    /** The operation by its name, or {@code null} for all together. */
    static Measured of(Side side, String phase, String operation, Figure figure) {
        List<Figures> trials = new ArrayList<>();
        for (Side.Trial trial : side.trials()) {
            Figures figures = figures(trial.result(), phase, operation);
            if (figures.requests() == 0) {
                return missing(null, "nothing sent" + inTrial(side, trials.size()));
            }
            if (value(figures, figure) == null) {
                return missing(null, "n too small" + inTrial(side, trials.size()));
            }
            trials.add(figures);
        }
        return trials.size() == 1
                ? ofRun(side.trials().get(0), phase, operation, figure, trials.get(0))
                : ofTrials(trials, figure);
    }

    private static String inTrial(Side side, int index) {
        return side.trials().size() == 1 ? "" : " in trial " + (index + 1);
    }

    private static Figures figures(Result result, String phase, String operation) {
        PhaseResult phases =
                result.phases().stream()
                        .filter(one -> one.name().equals(phase))
                        .findFirst()
                        .orElseThrow();
        return operation == null
                ? phases.figures()
                : phases.operations().stream()
                        .filter(one -> one.name().equals(operation))
                        .map(OperationResult::figures)
                        .findFirst()
                        .orElseThrow();
    }

    private static Double value(Figures figures, Figure figure) {
        Latency response = figures.response();
        return switch (figure) {
            case P50 -> millis(response.p50());
            case P95 -> millis(response.p95());
            case P99 -> millis(response.p99());
            case THROUGHPUT -> figures.requestsPerSecond();
            case FAILED -> figures.failedPercent();
        };
    }

    private static Double millis(LatencyValue value) {
        return value.value()
                .map(time -> Math.max(1, time.toNanos()) / NANOS_PER_MILLI)
                .orElse(null);
    }

    private static Measured ofTrials(List<Figures> trials, Figure figure) {
        if (figure == Figure.FAILED) {
            Estimate parts =
                    Estimate.ofParts(
                            trials.stream().mapToLong(Figures::failed).toArray(),
                            trials.stream().mapToLong(Figures::requests).toArray());
            return new Measured(100 * parts.value(), parts, "");
        }
        Estimate estimate =
                Estimate.ofTrials(
                        Scale.RELATIVE,
                        trials.stream().mapToDouble(trial -> value(trial, figure)).toArray());
        return new Measured(estimate.value(), estimate, "");
    }

    private static Measured ofRun(
            Side.Trial trial, String phase, String operation, Figure figure, Figures figures) {
        Series series = new Series(trial.run(), phase, place(trial.result(), operation));
        Double value = value(figures, figure);
        Optional<BatchMeans> means =
                switch (figure) {
                    case P50, P95, P99 -> series.atMost(series.responseNanos(figure.quantile()));
                    case THROUGHPUT -> series.rate(figures.wall().toNanos() / 1e9);
                    case FAILED -> series.failed();
                };
        if (means.isEmpty()) {
            return missing(
                    value,
                    "%d intervals, %d needed".formatted(series.intervals(), BatchMeans.LEAST));
        }
        return switch (figure) {
            case P50, P95, P99 -> ofQuantile(value, figure.quantile(), series, means.get());
            case THROUGHPUT -> new Measured(value, Estimate.ofRate(means.get()), "");
            case FAILED -> new Measured(value, Estimate.ofPart(means.get(), series.requests()), "");
        };
    }

    private static int place(Result result, String operation) {
        List<String> names =
                result.phases().get(0).operations().stream().map(OperationResult::name).toList();
        return operation == null ? -1 : names.indexOf(operation);
    }

    private static Measured ofQuantile(
            Double value, double quantile, Series series, BatchMeans atMost) {
        return Estimate.ofQuantile(quantile, series::responseNanos, atMost, series.requests())
                .map(estimate -> new Measured(value, estimate, ""))
                .orElseGet(
                        () ->
                                missing(
                                        value,
                                        String.format(
                                                Locale.ROOT,
                                                "worth %d samples, %d needed",
                                                atMost.effectiveSamples(
                                                        atMost.mean() * (1 - atMost.mean()),
                                                        series.requests()),
                                                QuantileRanks.leastSamples(quantile))));
    }
}
