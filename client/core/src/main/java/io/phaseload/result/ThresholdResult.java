package io.phaseload.result;

import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Threshold;
import java.time.Duration;
import java.util.Locale;

/**
 * The result of a threshold. One that can't be judged, since nothing was measured or the samples
 * are too few for its percentile, hasn't passed: a check that didn't happen mustn't look like one
 * that held.
 *
 * @param expression the threshold as text
 * @param phase the only one that it is about, or {@code null}
 * @param operation the only one that it is about, or {@code null}
 * @param observed the figure, or {@code null} if there is none
 * @param unit of the figure: {@code ms}, {@code %}, {@code /s}, or nothing of a count
 * @param passed whether it held
 * @param aborted whether it ended the run
 * @param reason why it hasn't passed, where the figure doesn't tell, or {@code null}
 */
public record ThresholdResult(
        String expression,
        String phase,
        String operation,
        Double observed,
        String unit,
        boolean passed,
        boolean aborted,
        String reason) {

    /** A figure, and what speaks against judging by it, if anything. */
    private record Observed(Double value, String problem) {}

    /**
     * Judges a threshold.
     *
     * @param threshold what must hold
     * @param figures of all that it is about
     */
    static ThresholdResult of(Threshold threshold, Figures figures) {
        Observed observed = observe(threshold, figures);
        boolean passed =
                observed.problem() == null
                        && threshold.operator().holds(observed.value(), threshold.limitValue());
        String problem = observed.problem();
        if (passed && isLowerBound(threshold, figures)) {
            passed = false;
            problem = figures.censored() + " requests timed out, so it may be higher";
        }
        return new ThresholdResult(
                threshold.toString(),
                threshold.phase().orElse(null),
                threshold.operation().orElse(null),
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
        return (threshold.figure() == Figure.Count.RPS
                        ? Threshold.Unit.PER_SECOND
                        : threshold.unit())
                .toString();
    }

    /** This one, observed over the last part of a run and ending it. */
    ThresholdResult ending(Duration last) {
        String reason =
                String.format(
                        Locale.ROOT,
                        "%s over %.1f s ended the run",
                        observedText(),
                        last.toNanos() / 1e9);
        return new ThresholdResult(
                expression, phase, operation, observed, unit, false, true, reason);
    }

    /** This one of the whole run, which has ended it as that one says. */
    ThresholdResult endedBy(ThresholdResult breach) {
        return new ThresholdResult(
                expression, phase, operation, observed, unit, false, true, breach.reason());
    }

    private static Observed observe(Threshold threshold, Figures figures) {
        if (figures.wall().isZero()) {
            return new Observed(null, "the run didn't reach it");
        }
        if (threshold.figure() instanceof Figure.Time time) {
            return observe(time.statistic(), time.slip() ? figures.slip() : figures.response());
        }
        return switch ((Figure.Count) threshold.figure()) {
            case RPS -> new Observed(figures.requestsPerSecond(), null);
            case REQUESTS -> new Observed((double) figures.requests(), null);
            case FAILURES -> {
                if (figures.requests() == 0) {
                    yield new Observed(null, "no requests");
                }
                boolean percent = threshold.unit() == Threshold.Unit.PERCENT;
                yield new Observed(
                        percent ? figures.failedPercent() : (double) figures.failed(), null);
            }
        };
    }

    private static Observed observe(Statistic statistic, Latency latency) {
        if (latency.samples() == 0) {
            return new Observed(null, "no requests");
        }
        LatencyValue value =
                switch (statistic) {
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
                .map(time -> new Observed(time.toNanos() / 1e6, null))
                .orElseGet(() -> new Observed(null, value.toString()));
    }

    /** Whether more requests ran into a timeout than were longer than the percentile. */
    private static boolean isLowerBound(Threshold threshold, Figures figures) {
        return threshold.operator().isUpperLimit()
                && threshold.figure() instanceof Figure.Time time
                && !time.slip()
                && figures.censored() * 100.0
                        > (100 - time.statistic().percent()) * figures.requests();
    }

    /**
     * The figure and the reason, for people.
     *
     * @return such as {@code 312.400 ms}; where there is no figure, the reason alone
     */
    public String observedText() {
        if (observed == null) {
            return reason;
        }
        String figure =
                switch (unit) {
                    case "ms" -> String.format(Locale.ROOT, "%.3f ms", observed);
                    case "%" -> String.format(Locale.ROOT, "%.2f %%", observed);
                    case "/s" -> String.format(Locale.ROOT, "%.2f/s", observed);
                    default -> String.format(Locale.ROOT, "%.0f", observed);
                };
        return reason == null ? figure : figure + "; " + reason;
    }

    /**
     * Whether it held, in a word.
     *
     * @return {@code PASS} or {@code FAIL}
     */
    public String outcome() {
        return passed ? "PASS" : "FAIL";
    }
}
