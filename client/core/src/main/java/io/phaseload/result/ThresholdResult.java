package io.phaseload.result;

import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Threshold;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a threshold. One that can't be judged, since nothing was measured or the samples
 * are too few for its percentile, hasn't passed: a check that didn't happen mustn't look like one
 * that held.
 *
 * @param expression the threshold as text
 * @param phase the only one that it is about, if there is one
 * @param operation the only one that it is about, if there is one
 * @param observed the figure, if there is one
 * @param unit of the figure: {@code ms}, {@code %}, {@code /s}, or nothing of a count
 * @param passed whether it held
 * @param aborted whether it ended the run
 * @param reason why it hasn't passed, where the figure doesn't tell
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

    /** A figure, and what speaks against judging by it, if anything. */
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
     * @param threshold what must hold
     * @param figures of all that it is about
     * @return whether it held
     */
    public static ThresholdResult of(Threshold threshold, Figures figures) {
        Observed observed = observe(threshold, figures);
        boolean passed =
                observed.value()
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
        return (threshold.figure() == Figure.Count.RPS
                        ? Threshold.Unit.PER_SECOND
                        : threshold.unit())
                .toString();
    }

    /**
     * This one, observed over the last part of a run and ending it.
     *
     * @param last how long that part was
     * @return a copy that hasn't passed
     */
    public ThresholdResult ending(Duration last) {
        String reason =
                String.format(
                        Locale.ROOT,
                        "%s over %.1f s ended the run",
                        observedText(),
                        last.toNanos() / 1e9);
        return new ThresholdResult(
                expression, phase, operation, observed, unit, false, true, Optional.of(reason));
    }

    /**
     * This one of the whole run, which has ended it as that one says.
     *
     * @param breach the threshold as it ended the run
     * @return a copy that hasn't passed
     */
    public ThresholdResult endedBy(ThresholdResult breach) {
        return new ThresholdResult(
                expression, phase, operation, observed, unit, false, true, breach.reason());
    }

    private static Observed observe(Threshold threshold, Figures figures) {
        if (figures.wall().isZero()) {
            return Observed.nothing("the run didn't reach it");
        }
        if (threshold.figure() instanceof Figure.Time time) {
            return observe(time.statistic(), time.slip() ? figures.slip() : figures.response());
        }
        return switch ((Figure.Count) threshold.figure()) {
            case RPS -> Observed.of(figures.requestsPerSecond());
            case REQUESTS -> Observed.of(figures.requests());
            case FAILURES -> {
                if (figures.requests() == 0) {
                    yield Observed.nothing("no requests");
                }
                boolean percent = threshold.unit() == Threshold.Unit.PERCENT;
                yield Observed.of(percent ? figures.failedPercent() : figures.failed());
            }
        };
    }

    private static Observed observe(Statistic statistic, Latency latency) {
        if (latency.samples() == 0) {
            return Observed.nothing("no requests");
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
                .map(time -> Observed.of(time.toNanos() / 1e6))
                .orElseGet(() -> Observed.nothing(value.toString()));
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
     * Whether it held, in a word.
     *
     * @return {@code PASS} or {@code FAIL}
     */
    public String outcome() {
        return passed ? "PASS" : "FAIL";
    }
}
