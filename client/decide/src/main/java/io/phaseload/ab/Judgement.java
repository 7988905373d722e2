package io.phaseload.ab;

import io.phaseload.stats.Effect;
import io.phaseload.stats.StudentT;
import io.phaseload.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The effects that a number of blocks show.
 *
 * <p>Of each block, the difference between the mean of the two runs of B and that of the four runs of A and A again
 * counts as one value, and so does that between A again and A; both on a logarithmic scale, except for failures. The
 * share that all runs of a block have in common, and a drift that is linear within a block, cancel out. The effect is
 * the mean of these values, its interval that of Student's t distribution.
 *
 * @param effects of each figure that all runs have
 * @param outcome the decision
 * @param blocks the number of blocks
 */
public record Judgement(List<FigureEffect> effects, Outcome outcome, int blocks) {

    /** Histograms have three digits. */
    private static final double ROUNDING = 0.001;

    private static final int RUNS_OF_AN_ARM = 2;

    /** With fewer blocks, nothing is believed. */
    public static final int LEAST_BLOCKS = 3;

    /**
     * Judges blocks.
     *
     * @param runs of whole blocks, and those that don't count
     * @param settings the decision to make
     * @param error the share of cases in which an interval may be wrong
     * @return the judgement
     */
    static Judgement of(List<AbRun> runs, AbSettings settings, double error) {
        int blocks = runs.stream().mapToInt(AbRun::block).max().orElse(0);
        Factors factors = Factors.of(blocks, error);
        List<AbRun> counted = runs.stream().filter(run -> run.block() > 0).toList();
        List<FigureEffect> effects = new ArrayList<>();
        for (AbFigure figure : AbFigure.values()) {
            if (blocks > 0 && counted.stream().allMatch(run -> run.value(figure).isPresent())) {
                effects.add(effect(figure, blocks, counted, settings, factors));
            }
        }
        return new Judgement(effects, outcome(effects, counted, blocks), blocks);
    }

    private static FigureEffect effect(
            AbFigure figure, int blocks, List<AbRun> runs, AbSettings settings, Factors factors) {
        double[] a = means(figure, blocks, runs, Arm.A);
        double[] again = means(figure, blocks, runs, Arm.AGAIN);
        double[] b = means(figure, blocks, runs, Arm.B);
        double[] changes = differences(
                b,
                IntStream.range(0, blocks)
                        .mapToDouble(i -> (a[i] + again[i]) / 2)
                        .toArray());
        JudgedEffects effects = new JudgedEffects(figure, runs, factors);
        return new FigureEffect(
                figure,
                figure.value(Stream.of(a, again)
                        .flatMapToDouble(Arrays::stream)
                        .average()
                        .orElseThrow()),
                figure.value(Arrays.stream(b).average().orElseThrow()),
                effects.of(changes, List.of(Arm.A, Arm.AGAIN), List.of(Arm.B)),
                effects.of(differences(again, a), List.of(Arm.A), List.of(Arm.AGAIN)),
                settings.margin(figure),
                settings.decides(figure));
    }

    /** Of the runs of each block. */
    private static double[] means(AbFigure figure, int blocks, List<AbRun> runs, Arm arm) {
        double[] sums = new double[blocks];
        for (AbRun run : runs) {
            if (run.arm() == arm) {
                sums[run.block() - 1] += figure.position(run.value(figure).orElseThrow()) / RUNS_OF_AN_ARM;
            }
        }
        return sums;
    }

    private static double[] differences(double[] of, double[] from) {
        return IntStream.range(0, of.length).mapToDouble(i -> of[i] - from[i]).toArray();
    }

    /** The numbers of standard errors that intervals extend to each side. */
    private record Factors(double blocks, double requests) {

        static Factors of(int blocks, double error) {
            return new Factors(
                    StudentT.factor(Math.max(1, blocks - 1), 1 - error),
                    StudentT.factor(Double.POSITIVE_INFINITY, 1 - error));
        }
    }

    private record JudgedEffects(AbFigure figure, List<AbRun> runs, Factors factors) {

        Optional<Effect> of(double[] differences, List<Arm> from, List<Arm> to) {
            return differences.length < 2
                    ? Optional.empty()
                    : Optional.of(Effect.ofPairs(figure.scale(), differences, factors.blocks(), chance(from, to)));
        }

        /** Runs without a failure agree perfectly, but the next one may have some; so do times that are rounded. */
        private double chance(List<Arm> from, List<Arm> to) {
            return figure == AbFigure.FAILED ? factors.requests() * Math.sqrt(variance(from) + variance(to)) : ROUNDING;
        }

        /** Of a share of failures, with two failures and two successes added (Agresti and Coull, 1998). */
        private double variance(List<Arm> arms) {
            double requests = 4 + sum(arms, AbRun::requests);
            double share = (2 + sum(arms, AbRun::failed)) / requests;
            return share * (1 - share) / requests;
        }

        private long sum(List<Arm> arms, ToLongFunction<AbRun> of) {
            return runs.stream()
                    .filter(run -> arms.contains(run.arm()))
                    .mapToLong(of)
                    .sum();
        }
    }

    private static Outcome outcome(List<FigureEffect> effects, List<AbRun> runs, int blocks) {
        List<FigureEffect> deciding =
                effects.stream().filter(FigureEffect::decides).toList();
        long invalid = runs.stream()
                .filter(run -> run.verdict() == Verdict.Status.INVALID)
                .count();
        if (2 * invalid > runs.size()) {
            return Outcome.INVALID;
        }
        if (blocks < LEAST_BLOCKS) {
            return Outcome.TOO_NOISY;
        }
        if (deciding.stream().anyMatch(FigureEffect::controlMoved)) {
            return Outcome.CONTROL_MOVED;
        }
        if (deciding.stream().anyMatch(FigureEffect::isRegression)) {
            return Outcome.REGRESSION;
        }
        if (!deciding.isEmpty() && deciding.stream().allMatch(FigureEffect::isWithinMargin)) {
            return Outcome.NO_REGRESSION;
        }
        boolean noisy = deciding.stream().filter(of -> !of.isWithinMargin()).anyMatch(of -> of.resolution()
                .filter(least -> least <= of.margin())
                .isEmpty());
        return deciding.isEmpty() || noisy ? Outcome.TOO_NOISY : Outcome.UNDECIDED;
    }

    /**
     * The figures that differ, among those that decide.
     *
     * @return those whose interval excludes no change
     */
    public List<FigureEffect> changed() {
        return effects.stream()
                .filter(FigureEffect::decides)
                .filter(of -> of.word() == Effect.Word.WORSE || of.word() == Effect.Word.BETTER)
                .toList();
    }
}
