package io.phaseload.compare;

import io.phaseload.plan.Phase;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.store.PlanDifferences;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What changed from one side to another.
 *
 * @param a before
 * @param b after
 * @param tolerance what counts as the same
 * @param changes by phase, operation and figure
 */
public record Comparison(Side a, Side b, Tolerance tolerance, List<Change> changes) {

    /**
     * How much of a change is none.
     *
     * @param relative of times and throughput: 0.05 is 5 %
     * @param points of failures, in percentage points
     */
    public record Tolerance(double relative, double points) {

        /** In what effects on a figure are: parts of it, or parts of all requests. */
        double of(Effect effect) {
            return effect.scale() == Scale.RELATIVE ? relative : points / 100;
        }
    }

    /**
     * What changed in one figure.
     *
     * @param phase the phase
     * @param operation the operation, or {@code null} for all together
     * @param figure what it is
     * @param before in the figure's unit, of trials their mean, or {@code null} if it can't be told
     * @param after the same, of the other side
     * @param effect the change with its interval, or {@code null}: then {@code reason} says why
     * @param word the change in a word; undecided without an effect
     * @param reason why there is no effect, or an empty text
     */
    public record Change(
            String phase,
            String operation,
            Figure figure,
            Double before,
            Double after,
            Effect effect,
            Word word,
            String reason) {

        /**
         * Whether the figure is worse by more than a limit with confidence.
         *
         * @param limit the limit
         * @return {@code false} without an effect
         */
        public boolean isWorseBy(Tolerance limit) {
            return effect != null && effect.isWorseBy(limit.of(effect), figure.better());
        }
    }

    /**
     * Compares all figures of the phases that both sides have, of every operation that both have,
     * and of all operations together if there are several and both sides have the same.
     *
     * @param a before
     * @param b after
     * @param phases names of those to compare, or {@code null} for those that are {@linkplain
     *     Phase#measured measured} on both sides
     * @param tolerance what counts as the same
     * @return the comparison
     */
    public static Comparison of(Side a, Side b, List<String> phases, Tolerance tolerance) {
        List<String> others = phases == null ? Phase.measured(phases(b)) : phases(b);
        List<String> wanted = phases == null ? Phase.measured(phases(a)) : phases;
        List<Change> changes = new ArrayList<>();
        for (String phase : phases(a)) {
            if (wanted.contains(phase) && others.contains(phase)) {
                List<String> operations = new ArrayList<>(operations(a));
                operations.retainAll(operations(b));
                boolean sameOperations =
                        operations.equals(operations(a)) && operations.equals(operations(b));
                if (operations.size() > 1 && sameOperations) {
                    operations.add(null);
                }
                for (String operation : operations) {
                    for (Figure figure : Figure.values()) {
                        changes.add(change(a, b, phase, operation, figure, tolerance));
                    }
                }
            }
        }
        return new Comparison(a, b, tolerance, List.copyOf(changes));
    }

    private static Change change(
            Side a, Side b, String phase, String operation, Figure figure, Tolerance tolerance) {
        Measured before = Measured.of(a, phase, operation, figure);
        Measured after = Measured.of(b, phase, operation, figure);
        if (before.estimate() == null || after.estimate() == null) {
            Measured missing = before.estimate() == null ? before : after;
            String side = missing == before ? "A: " : "B: ";
            return new Change(
                    phase,
                    operation,
                    figure,
                    before.value(),
                    after.value(),
                    null,
                    Word.UNDECIDED,
                    side + missing.reason());
        }
        Effect effect = Effect.between(before.estimate(), after.estimate());
        return new Change(
                phase,
                operation,
                figure,
                before.value(),
                after.value(),
                effect,
                effect.word(tolerance.of(effect), figure.better()),
                "");
    }

    /** Those that all of a side's trials have, in the order of the first one. */
    private static List<String> phases(Side side) {
        return inAll(side, trial -> trial.run().plan().phases().stream().map(Phase::name).toList());
    }

    private static List<String> operations(Side side) {
        return inAll(
                side,
                trial ->
                        trial.result().phases().get(0).operations().stream()
                                .map(OperationResult::name)
                                .toList());
    }

    private static List<String> inAll(Side side, Function<Side.Trial, List<String>> names) {
        List<String> all = new ArrayList<>(names.apply(side.trials().get(0)));
        side.trials().forEach(trial -> all.retainAll(names.apply(trial)));
        return all;
    }

    /**
     * What the runs of both sides differ in although they shouldn't, each against the first one.
     *
     * @return lines, each once; empty if they can be compared
     */
    public List<String> differences() {
        List<Side.Trial> trials = new ArrayList<>(a.trials());
        trials.addAll(b.trials());
        return trials.stream()
                .flatMap(
                        trial -> PlanDifferences.between(trials.get(0).run(), trial.run()).stream())
                .distinct()
                .toList();
    }

    /**
     * The figures that are worse by more than a limit with confidence.
     *
     * @param limit the limit
     * @return in the order of the changes
     */
    public List<Change> regressions(Tolerance limit) {
        return changes.stream().filter(change -> change.isWorseBy(limit)).toList();
    }

    /**
     * How many changes have a word.
     *
     * @param word the word
     * @return the count
     */
    public long count(Word word) {
        return changes.stream().filter(change -> change.word() == word).count();
    }
}
