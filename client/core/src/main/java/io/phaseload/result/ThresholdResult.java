package io.phaseload.result;

import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a threshold. A threshold that can't be judged, because nothing was measured or there are too few
 * samples for its percentile, has failed: a check that didn't happen must not look like one that passed.
 *
 * @param expression the threshold as text
 * @param phase the one that it is about, if any
 * @param operation the one that it is about, if any
 * @param observed the observed figure, if there is one
 * @param unit of the figure: {@code ms}, {@code %}, {@code /s}, or empty for a count
 * @param passed the result
 * @param aborted true if it ended the run
 * @param reason why it failed, if the figure doesn't show it
 */
public record ThresholdResult(
        String expression,
        Optional<String> phase,
        Optional<String> operation,
        Optional<Double> observed,
        String unit,
        boolean passed,
        boolean aborted,
        Optional<String> reason) {

    /** A figure, and why it can't be judged, if so. */
    private record Observed(Optional<Double> value, Optional<String> problem) {

        static Observed of(double value) {
            return new Observed(Optional.of(value), Optional.empty());
        }

        static Observed nothing(String problem) {
            return new Observed(Optional.empty(), Optional.of(problem));
        }
    }

    /**
     * Judges a threshold.
     *
     * @param threshold the threshold
     * @param figures the figures that it is about
     * @return the result
     */
    public static ThresholdResult of(Threshold threshold, Figures figures) {
        Observed observed = observe(threshold, figures);
        boolean passed = observed.value()
                .filter(value -> threshold.operator().holds(value, threshold.limitValue()))
                .isPresent();
        Optional<String> problem = observed.problem();
        if (passed && isLowerBound(threshold, figures)) {
            passed = false;
            problem = Optional.of(figures.censored() + " requests timed out, so it may be higher");
        }
        return new ThresholdResult(
                threshold.toString(),
                threshold.phase(),
                threshold.operation(),
                observed.value(),
                unit(threshold),
                passed,
                false,
                problem);
    }

    private static String unit(Threshold threshold) {
        if (threshold.figure() instanceof Figure.Time) {
            return Threshold.Unit.MS.toString();
        }
        return (threshold.figure() == Figure.Count.RPS ? Threshold.Unit.PER_SECOND : threshold.unit()).toString();
    }

    /**
     * Marks this threshold as having ended the run.
     *
     * @param last the length of the time over which it was observed
     * @return a failed copy
     */
    public ThresholdResult ending(Duration last) {
        String reason =
                String.format(Locale.ROOT, "%s over %.1f s ended the run", observedText(), last.toNanos() / 1e9);
        return new ThresholdResult(expression, phase, operation, observed, unit, false, true, Optional.of(reason));
    }

    /**
     * Combines this result, of the whole run, with the breach that ended it.
     *
     * @param breach the result that ended the run
     * @return a failed copy
     */
    public ThresholdResult endedBy(ThresholdResult breach) {
        return new ThresholdResult(expression, phase, operation, observed, unit, false, true, breach.reason());
    }

    private static Observed observe(Threshold threshold, Figures figures) {
        if (figures.wall().isZero()) {
            return Observed.nothing("the run didn't reach it");
        }
        if (threshold.figure() instanceof Figure.Time time) {
            return observe(time, figures);
        }
        return switch ((Figure.Count) threshold.figure()) {
            case RPS -> Observed.of(figures.requestsPerSecond());
            case REQUESTS -> Observed.of(figures.requests());
            case RESENT -> Observed.of(figures.resent());
            case FAILURES -> {
                if (figures.requests() == 0) {
                    yield Observed.nothing("no requests");
                }
                boolean percent = threshold.unit() == Threshold.Unit.PERCENT;
                yield Observed.of(percent ? figures.failedPercent() : figures.failed());
            }
        };
    }

    private static Observed observe(Figure.Time time, Figures figures) {
        Latency latency = figures.time(time.of());
        if (latency.samples() == 0) {
            return Observed.nothing("no %ss".formatted(time.of().section().noun()));
        }
        LatencyValue value =
                switch (time.statistic()) {
                    case MEAN -> latency.mean();
                    case MIN -> latency.min();
                    case P50 -> latency.p50();
                    case P75 -> latency.p75();
                    case P90 -> latency.p90();
                    case P95 -> latency.p95();
                    case P99 -> latency.p99();
                    case P999 -> latency.p999();
                    case P9999 -> latency.p9999();
                    case MAX -> latency.max();
                };
        return value.value()
                .map(measured -> Observed.of(measured.toNanos() / 1e6))
                .orElseGet(() -> Observed.nothing(value.toString()));
    }

    /** Whether more requests timed out than were slower than the percentile. */
    private static boolean isLowerBound(Threshold threshold, Figures figures) {
        return threshold.operator().isUpperLimit()
                && threshold.figure() instanceof Figure.Time time
                && time.of() == Timing.RESPONSE
                && figures.censored() * 100.0 > (100 - time.statistic().percent()) * figures.requests();
    }

    /**
     * The figure and the reason, for people.
     *
     * @return such as {@code 312.400 ms}; without a figure, just the reason
     */
    public String observedText() {
        return Stream.of(observed.map(this::text), reason)
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
    }

    private String text(double figure) {
        return switch (unit) {
            case "ms" -> String.format(Locale.ROOT, "%.3f ms", figure);
            case "%" -> String.format(Locale.ROOT, "%.2f %%", figure);
            case "/s" -> String.format(Locale.ROOT, "%.2f/s", figure);
            default -> String.format(Locale.ROOT, "%.0f", figure);
        };
    }

    /**
     * The result in a word.
     *
     * @return {@code PASS} or {@code FAIL}
     */
    public String outcome() {
        return passed ? "PASS" : "FAIL";
    }
}
