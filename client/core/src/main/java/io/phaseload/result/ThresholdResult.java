package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a threshold. It has passed if the whole interval of its figure meets the limit, and failed if none of
 * it does, or if nothing was measured: a check that didn't happen must not look like one that passed. Otherwise it is
 * undecided.
 *
 * @param expression the threshold as text
 * @param phase the one that it is about, if any
 * @param operation the one that it is about, if any
 * @param observed the observed figure, if there is one
 * @param unit of the figure: {@code ms}, {@code %}, {@code /s}, or empty for a count
 * @param passed true if it held
 * @param aborted true if it ended the run
 * @param reason why it failed, if the figure doesn't show it
 * @param evidence the interval of the figure; empty for one that is exact, such as a count
 * @param outcome the result; of earlier versions, from {@code passed}
 */
public record ThresholdResult(
        String expression,
        Optional<String> phase,
        Optional<String> operation,
        Optional<Double> observed,
        String unit,
        boolean passed,
        boolean aborted,
        Optional<String> reason,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Evidence> evidence,
        Outcome outcome) {

    /** A threshold's result in a word. */
    public enum Outcome {
        /** It held. */
        PASS,
        /** It didn't hold, or nothing was measured. */
        FAIL,
        /** More measurements would decide it. */
        UNDECIDED
    }

    /**
     * How certain a figure is.
     *
     * @param low the lower end of its interval, in the figure's unit; empty if it is unbounded
     * @param high the upper end
     * @param coverage of the interval, such as 0.95
     * @param samples the number of requests or readings
     * @param effectiveSamples the number of independent ones that they are worth
     */
    public record Evidence(
            Optional<Double> low, Optional<Double> high, double coverage, long samples, long effectiveSamples) {

        /**
         * Makes the evidence of an interval.
         *
         * @param low may be infinite
         * @param high may be infinite
         * @param coverage of the interval
         * @param samples the number of requests or readings
         * @param effectiveSamples the number of independent ones
         * @return the evidence
         */
        public static Evidence of(double low, double high, double coverage, long samples, double effectiveSamples) {
            return new Evidence(
                    Optional.of(low).filter(Double::isFinite),
                    Optional.of(high).filter(Double::isFinite),
                    coverage,
                    samples,
                    Math.max(1, Math.round(Math.min(effectiveSamples, samples))));
        }

        /**
         * Judges it.
         *
         * @param limit in the figure's unit
         * @return the result
         */
        public Outcome outcome(Threshold.Operator operator, double limit) {
            boolean atLow = operator.holds(low.orElse(Double.NEGATIVE_INFINITY), limit);
            boolean atHigh = operator.holds(high.orElse(Double.POSITIVE_INFINITY), limit);
            return atLow && atHigh ? Outcome.PASS : !atLow && !atHigh ? Outcome.FAIL : Outcome.UNDECIDED;
        }
    }

    /** Results of earlier versions have no outcome and no evidence. */
    public ThresholdResult {
        outcome = outcome == null ? passed ? Outcome.PASS : Outcome.FAIL : outcome;
        evidence = evidence == null ? Optional.empty() : evidence;
    }

    /** A figure, and why it can't be judged, if so. */
    private record Observed(Optional<Double> value, Optional<String> problem) {

        /** Sums don't have it. */
        static final Observed LATER = nothing("the run's seconds aren't known");

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
        boolean tooFew = observed.value().isEmpty() && !figures.wall().isZero() && figures.requests() > 0;
        return new ThresholdResult(
                threshold.toString(),
                threshold.phase(),
                threshold.operation(),
                observed.value(),
                unit(threshold),
                passed,
                false,
                problem,
                Optional.empty(),
                passed ? Outcome.PASS : tooFew ? Outcome.UNDECIDED : Outcome.FAIL);
    }

    /**
     * Judges with an interval.
     *
     * @param threshold that this is the result of
     * @param value the figure, if its own isn't known
     * @param ofUnit its unit
     * @param interval of the figure
     * @return a copy; one that has failed because of an abort or of timeouts remains so
     */
    public ThresholdResult with(Threshold threshold, double value, String ofUnit, Evidence interval) {
        boolean fixed = aborted || observed.isPresent() && reason.isPresent();
        Outcome judged = fixed ? outcome : interval.outcome(threshold.operator(), threshold.limitValue());
        boolean few =
                threshold.figure() instanceof Figure.Time && threshold.other().isEmpty();
        return judged(
                observed.isPresent() || few ? observed : Optional.of(value),
                ofUnit,
                few || fixed ? reason : Optional.empty(),
                Optional.of(interval),
                judged);
    }

    /**
     * Judges a figure without an interval.
     *
     * @param threshold that this is the result of
     * @param value the figure; empty if there is none
     * @param ofUnit its unit
     * @param why there is none, or no interval
     * @param measured false if nothing was measured
     * @return a copy
     */
    public ThresholdResult with(
            Threshold threshold, Optional<Double> value, String ofUnit, Optional<String> why, boolean measured) {
        Outcome judged = !measured
                ? Outcome.FAIL
                : why.isPresent()
                        ? Outcome.UNDECIDED
                        : threshold.operator().holds(value.orElseThrow(), threshold.limitValue())
                                ? Outcome.PASS
                                : Outcome.FAIL;
        return judged(value, ofUnit, why, Optional.empty(), judged);
    }

    private ThresholdResult judged(
            Optional<Double> value, String ofUnit, Optional<String> why, Optional<Evidence> interval, Outcome judged) {
        boolean pass = judged == Outcome.PASS;
        return new ThresholdResult(expression, phase, operation, value, ofUnit, pass, aborted, why, interval, judged);
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
        String ended = String.format(Locale.ROOT, "%s over %.1f s ended the run", observedText(), last.toNanos() / 1e9);
        return ended(Optional.of(ended));
    }

    /**
     * Combines this result, of the whole run, with the breach that ended it.
     *
     * @param breach the result that ended the run
     * @return a failed copy
     */
    public ThresholdResult endedBy(ThresholdResult breach) {
        return ended(breach.reason());
    }

    private ThresholdResult ended(Optional<String> why) {
        return new ThresholdResult(
                expression, phase, operation, observed, unit, false, true, why, evidence, Outcome.FAIL);
    }

    private static Observed observe(Threshold threshold, Figures figures) {
        if (figures.wall().isZero()) {
            return Observed.nothing("the run didn't reach it");
        }
        if (threshold.figure() instanceof Figure.Time time) {
            return threshold.other().isPresent() ? Observed.LATER : observe(time, figures);
        }
        if (threshold.other().isPresent() || !(threshold.figure() instanceof Figure.Count)) {
            return Observed.LATER;
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
        LatencyValue value = latency.value(time.statistic());
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
        return unit.isEmpty() && figure == Math.rint(figure)
                ? String.format(Locale.ROOT, "%.0f", figure)
                : number(figure) + (unit.isEmpty() || unit.startsWith("/") ? "" : " ") + unit;
    }

    private String number(double figure) {
        return unit.equals("ms")
                ? String.format(Locale.ROOT, "%.3f", figure)
                : String.format(Locale.ROOT, "%.2f", figure);
    }

    /**
     * The interval, for people.
     *
     * @return such as {@code 300.100 to 331.000}, or an empty text
     */
    public String intervalText() {
        return evidence.map(of -> of.low().map(this::number).orElse("-∞")
                        + " to "
                        + of.high().map(this::number).orElse("∞"))
                .orElse("");
    }
}
