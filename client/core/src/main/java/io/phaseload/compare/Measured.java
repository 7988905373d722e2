package io.phaseload.compare;

import io.phaseload.result.Figures;
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
 * A figure of one side, estimated from several trials, or from the intervals of a single run.
 *
 * @param value in the figure's unit; empty if unknown
 * @param estimate the figure with its error; if it is empty, {@code reason} says why; times are in ns, failures a
 *     fraction of 1
 * @param reason why there is no estimate, or an empty text
 */
record Measured(Optional<Double> value, Optional<Estimate> estimate, String reason) {

    private static Measured missing(Optional<Double> value, String reason) {
        return new Measured(value, Optional.empty(), reason);
    }

    private static Measured of(Optional<Double> value, Estimate estimate) {
        return new Measured(value, Optional.of(estimate), "");
    }

    /** The operation's index by its name; empty stands for all together. */
    static Measured of(Side side, String phase, Optional<String> operation, Figure figure) {
        List<Figures> trials = new ArrayList<>();
        for (Side.Trial trial : side.trials()) {
            Figures figures = figures(trial.result(), phase, operation);
            if (figures.requests() == 0) {
                return missing(Optional.empty(), "nothing sent" + inTrial(side, trials.size()));
            }
            if (figure.value(figures).isEmpty()) {
                return missing(Optional.empty(), "n too small" + inTrial(side, trials.size()));
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

    private static Figures figures(Result result, String phase, Optional<String> operation) {
        PhaseResult phases = result.phases().stream()
                .filter(one -> one.name().equals(phase))
                .findFirst()
                .orElseThrow();
        return operation
                .map(name -> phases.operations().stream()
                        .filter(one -> one.name().equals(name))
                        .map(OperationResult::figures)
                        .findFirst()
                        .orElseThrow())
                .orElse(phases.figures());
    }

    private static Measured ofTrials(List<Figures> trials, Figure figure) {
        if (figure == Figure.FAILED) {
            Estimate parts = Estimate.ofParts(
                    trials.stream().mapToLong(Figures::failed).toArray(),
                    trials.stream().mapToLong(Figures::requests).toArray());
            return of(Optional.of(100 * parts.value()), parts);
        }
        Estimate estimate = Estimate.ofTrials(
                Scale.RELATIVE,
                trials.stream()
                        .mapToDouble(trial -> figure.value(trial).orElseThrow())
                        .toArray());
        return of(Optional.of(estimate.value()), estimate);
    }

    private static Measured ofRun(
            Side.Trial trial, String phase, Optional<String> operation, Figure figure, Figures figures) {
        Series series = new Series(trial.run(), phase, place(trial.result(), operation));
        Optional<Double> value = figure.value(figures);
        Optional<BatchMeans> means =
                switch (figure) {
                    case P50, P95, P99 -> series.atMost(series.responseNanos(figure.quantile()));
                    case THROUGHPUT -> series.rate(figures.wall().toNanos() / 1e9);
                    case FAILED -> series.failed();
                };
        if (means.isEmpty()) {
            return missing(value, "%d intervals, %d needed".formatted(series.intervals(), BatchMeans.LEAST));
        }
        return switch (figure) {
            case P50, P95, P99 -> ofQuantile(value, figure.quantile(), series, means.get());
            case THROUGHPUT -> of(value, Estimate.ofRate(means.get()));
            case FAILED -> of(value, Estimate.ofPart(means.get(), series.requests()));
        };
    }

    private static int place(Result result, Optional<String> operation) {
        List<String> names = result.phases().get(0).operations().stream()
                .map(OperationResult::name)
                .toList();
        return operation.map(names::indexOf).orElse(-1);
    }

    private static Measured ofQuantile(Optional<Double> value, double quantile, Series series, BatchMeans atMost) {
        return Estimate.ofQuantile(quantile, series::responseNanos, atMost, series.requests())
                .map(estimate -> of(value, estimate))
                .orElseGet(() -> missing(
                        value,
                        String.format(
                                Locale.ROOT,
                                "worth %d samples, %d needed",
                                atMost.effectiveSamples(atMost.mean() * (1 - atMost.mean()), series.requests()),
                                QuantileRanks.leastSamples(quantile))));
    }
}
