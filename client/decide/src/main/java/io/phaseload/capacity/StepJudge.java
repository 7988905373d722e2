package io.phaseload.capacity;

import io.phaseload.stats.BatchMeans;
import io.phaseload.stats.Estimate;
import io.phaseload.stats.series.Slope;
import io.phaseload.stats.series.SteadyState;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Decides whether the objectives held in a step, and with which probability.
 *
 * <p>Without a failure, a limit of failures holds: no step is long enough to show that 1 in 1,000 fails, and services
 * that break fail more than that.
 *
 * <p>Seconds before the steady part don't count: see {@link SteadyState}, and in a step that is too short for it, the
 * first fifth. A trend matters only if it may change the outcome: a step that broke and gets better, or held and gets
 * worse, is unsteady. Overload never becomes steady, and has broken all the same.
 *
 * @param outcome {@link Outcome#HELD}, {@link Outcome#BROKE} or {@link Outcome#UNSTEADY}
 * @param holds the probability that all objectives hold at this load, from 0 to 1
 * @param objectives one per objective, in order
 */
record StepJudge(Outcome outcome, double holds, List<ObjectiveResult> objectives) {

    private static final double EVEN = 0.5;

    private static final int WARM_UP_PART = 5;

    /** Of the last half of a step, to doubt the outcome of the whole. */
    private static final double SURE = 0.8;

    /** The logistic function is the normal distribution to within 0.01, with this factor. */
    private static final double LOGISTIC = 1.702;

    /** Seconds resemble their neighbours; too few of them can't show how much. */
    private static final double UNKNOWN_CORRELATION = 2;

    /** Decides. */
    static StepJudge of(List<StepSeries> step) {
        List<ObjectiveResult> results = step.stream().map(StepJudge::result).toList();
        double holds = worst(results).holds();
        boolean held = holds >= EVEN;
        // One that broke for good is enough.
        boolean doubtful = held
                ? step.stream().anyMatch(of -> mayChange(of, true))
                : IntStream.range(0, step.size())
                        .filter(i -> results.get(i).holds() < EVEN)
                        .allMatch(i -> mayChange(step.get(i), false));
        return new StepJudge(doubtful ? Outcome.UNSTEADY : held ? Outcome.HELD : Outcome.BROKE, holds, results);
    }

    /** The objective that is the least likely to hold, or else the closest to its limit. */
    static ObjectiveResult worst(List<ObjectiveResult> results) {
        return results.stream()
                .min(Comparator.comparingDouble(ObjectiveResult::holds).thenComparing(of -> -of.figure() / of.limit()))
                .orElseThrow();
    }

    static ObjectiveResult result(StepSeries of) {
        int from = from(of);
        return new ObjectiveResult(
                of.objective().toString(),
                of.objective().unit(),
                of.objective().threshold().limitValue(),
                of.from().applyAsDouble(from),
                holds(of, from));
    }

    /** The first second that counts. */
    private static int from(StepSeries of) {
        Optional<SteadyState> steady = SteadyState.of(of.levels());
        return steady.map(state -> state.reached() ? state.from() : of.seconds() / 2)
                .orElse(of.seconds() / WARM_UP_PART);
    }

    private static double holds(StepSeries of, int from) {
        double[] sums = Arrays.copyOfRange(of.sums(), from, of.seconds());
        double[] weights = Arrays.copyOfRange(of.weights(), from, of.seconds());
        double all = Arrays.stream(weights).sum();
        if (all == 0) {
            return 0;
        }
        double mean = Arrays.stream(sums).sum() / all;
        if (mean == 0 && of.objective().isAboutFailures()) {
            return 1;
        }
        BatchMeans means = BatchMeans.of(sums, weights).orElseGet(() -> few(of, mean, all));
        double gap = of.objective().limit() - mean;
        double error;
        if (of.objective().isShare()) {
            Estimate part = Estimate.ofPart(means, (long) all);
            error = gap > 0 ? part.errorAbove() : part.errorBelow();
        } else {
            error = means.standardError();
        }
        return error == 0 ? gap > 0 ? 1 : 0 : 1 / (1 + Math.exp(-LOGISTIC * gap / error));
    }

    private static BatchMeans few(StepSeries of, double mean, double all) {
        double deviation = of.objective().isShare() ? Math.sqrt(Math.max(0, mean * (1 - mean))) : mean;
        return new BatchMeans(mean, UNKNOWN_CORRELATION * deviation / Math.sqrt(all), BatchMeans.LEAST);
    }

    /** Whether the last half, or the trend, says something else than the whole. */
    private static boolean mayChange(StepSeries of, boolean held) {
        int from = from(of);
        double late = holds(of, (from + of.seconds()) / 2);
        if (held ? late < 1 - SURE : late > SURE) {
            return true;
        }
        double[] levels = Arrays.copyOfRange(of.levels(), from, of.seconds());
        double[] at = new double[levels.length];
        Arrays.setAll(at, i -> i);
        Optional<Slope> trend = Slope.of(at, levels);
        if (trend.isEmpty()) {
            return false;
        }
        double then = trend.get().last() + trend.get().perUnit() * of.seconds();
        return held ? trend.get().low() > 0 && then > 1 : trend.get().high() < 0 && then < 1;
    }
}
