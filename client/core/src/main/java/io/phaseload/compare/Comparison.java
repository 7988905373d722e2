package io.phaseload.compare;

import io.phaseload.plan.Phase;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.store.PlanDifferences;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The changes from one side to another.
 *
 * @param a before
 * @param b after
 * @param tolerance the largest change that counts as the same
 * @param changes by phase, operation and figure
 */
public record Comparison(Side a, Side b, Tolerance tolerance, List<Change> changes) {

    /**
     * The change that counts as none.
     *
     * @param relative for times and throughput: 0.05 is 5 %
     * @param points for failures, in percentage points
     */
    public record Tolerance(double relative, double points) {

        /** In the unit of an effect: a fraction of the figure, or of all requests. */
        double of(Effect effect) {
            return effect.scale() == Scale.RELATIVE ? relative : points / 100;
        }
    }

    /**
     * The change of one figure.
     *
     * @param phase the phase
     * @param operation the operation; empty for all together
     * @param figure its value
     * @param before in the figure's unit, the mean if there are several trials; empty if unknown
     * @param after the same for the other side
     * @param effect the change with its interval; if it is empty, {@code reason} says why
     * @param word the change in a word; undecided without an effect
     * @param reason why there is no effect, or an empty text
     */
    public record Change(
            String phase,
            Optional<String> operation,
            Figure figure,
            Optional<Double> before,
            Optional<Double> after,
            Optional<Effect> effect,
            Word word,
            String reason) {

        /**
         * Whether the figure is worse by more than a limit with confidence.
         *
         * @param limit the limit
         * @return {@code false} without an effect
         */
        public boolean isWorseBy(Tolerance limit) {
            return effect.filter(of -> of.isWorseBy(limit.of(of), figure.better()))
                    .isPresent();
        }
    }

    /**
     * Compares all figures of the phases that both sides have, of every operation that both have, and of all operations
     * together if there are several and both sides have the same.
     *
     * @param a before
     * @param b after
     * @param phases names of the phases to compare; empty for those that are {@linkplain Phase#measured measured} on
     *     both sides
     * @param tolerance the largest change that counts as the same
     * @return the comparison
     */
    public static Comparison of(Side a, Side b, Optional<List<String>> phases, Tolerance tolerance) {
        List<String> others = phases.isEmpty() ? Phase.measured(phases(b)) : phases(b);
        List<String> wanted = phases.orElseGet(() -> Phase.measured(phases(a)));
        List<Change> changes = new ArrayList<>();
        for (String phase : phases(a)) {
            if (wanted.contains(phase) && others.contains(phase)) {
                List<Optional<String>> operations = operations(a).stream()
                        .filter(operations(b)::contains)
                        .map(Optional::of)
                        .collect(Collectors.toCollection(ArrayList::new));
                if (operations.size() > 1 && operations(a).equals(operations(b))) {
                    operations.add(Optional.empty());
                }
                for (Optional<String> operation : operations) {
                    for (Figure figure : Figure.values()) {
                        changes.add(change(a, b, phase, operation, figure, tolerance));
                    }
                }
            }
        }
        return new Comparison(a, b, tolerance, List.copyOf(changes));
    }

    private static Change change(
            Side a, Side b, String phase, Optional<String> operation, Figure figure, Tolerance tolerance) {
        Measured before = Measured.of(a, phase, operation, figure);
        Measured after = Measured.of(b, phase, operation, figure);
        if (before.estimate().isEmpty() || after.estimate().isEmpty()) {
            Measured missing = before.estimate().isEmpty() ? before : after;
            String side = missing == before ? "A: " : "B: ";
            return new Change(
                    phase,
                    operation,
                    figure,
                    before.value(),
                    after.value(),
                    Optional.empty(),
                    Word.UNDECIDED,
                    side + missing.reason());
        }
        Effect effect = Effect.between(before.estimate().get(), after.estimate().get());
        return new Change(
                phase,
                operation,
                figure,
                before.value(),
                after.value(),
                Optional.of(effect),
                effect.word(tolerance.of(effect), figure.better()),
                "");
    }

    /** The phases that all of a side's trials have, in the order of the first one. */
    private static List<String> phases(Side side) {
        return inAll(
                side,
                trial -> trial.run().plan().phases().stream().map(Phase::name).toList());
    }

    private static List<String> operations(Side side) {
        return inAll(side, trial -> trial.result().phases().get(0).operations().stream()
                .map(OperationResult::name)
                .toList());
    }

    private static List<String> inAll(Side side, Function<Side.Trial, List<String>> names) {
        List<String> all = new ArrayList<>(names.apply(side.trials().get(0)));
        side.trials().forEach(trial -> all.retainAll(names.apply(trial)));
        return all;
    }

    /**
     * Differences between the plans of both sides, each compared with the first run, that make a comparison doubtful.
     *
     * @return unique lines; empty if the runs can be compared
     */
    public List<String> differences() {
        List<Side.Trial> trials = new ArrayList<>(a.trials());
        trials.addAll(b.trials());
        return trials.stream()
                .flatMap(trial -> PlanDifferences.between(trials.get(0).run(), trial.run()).stream())
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
