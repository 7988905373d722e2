package io.phaseload.sweep;

import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * When to skip steps with more load. The decision follows from the rows alone, so that a resumed sweep decides the
 * same.
 *
 * @param condition a condition on one trial, written like a threshold; a time may be any operation's, a count is of all
 *     operations together; empty for none
 * @param atPlateau true to stop if throughput stops growing
 */
public record StopRule(Optional<Threshold> condition, boolean atPlateau) {

    /** Skips nothing. */
    public static final StopRule NEVER = new StopRule(Optional.empty(), false);

    /**
     * Checks that the condition is about a whole trial.
     *
     * @throws IllegalArgumentException if it names a phase or an operation, or has {@code abort}
     */
    public StopRule {
        if (condition.filter(StopRule::isNarrow).isPresent()) {
            throw new ValueException("a condition without a phase, an operation and abort");
        }
        if (condition.map(Threshold::figure).filter(StopRule::isWithoutRow).isPresent()) {
            throw new ValueException(
                    "a figure of response times, 'slip p99', or p50, p95 or p99 of first-event, event-gap or event-delivery: others aren't kept");
        }
    }

    private static boolean isNarrow(Threshold condition) {
        return condition.phase().isPresent() || condition.operation().isPresent() || condition.abort();
    }

    private static boolean isWithoutRow(Figure figure) {
        if (figure == Figure.Count.RESENT) {
            return true;
        }
        if (!(figure instanceof Figure.Time time) || time.of() == Timing.RESPONSE) {
            return false;
        }
        return time.of() == Timing.SLIP
                ? time.statistic() != Figure.Statistic.P99
                : !TrialRow.STREAM_TIMES.contains(time.of()) || !TrialRow.STREAM_STATISTICS.contains(time.statistic());
    }

    /**
     * Why a step is skipped, if it is: what happened at a step with less load in the same group.
     *
     * @param step the step
     * @param steps all steps of the sweep
     * @param rows rows of the finished trials
     * @return such as {@code failures > 5% at threads=200}
     */
    Optional<String> reasonToSkip(Step step, List<Step> steps, List<TrialRow> rows) {
        List<Step> lower = steps.stream()
                .filter(other -> other.number() < step.number())
                .filter(other -> other.group().equals(step.group()))
                .toList();
        Optional<String> held = condition.flatMap(of -> lower.stream()
                .filter(other -> holds(of, other, rows))
                .findFirst()
                .map(other -> of + " at " + other));
        if (held.isPresent()) {
            return held;
        }
        return atPlateau
                ? Plateau.of(lower, rows).map(other -> "throughput stopped growing at " + other)
                : Optional.empty();
    }

    private static boolean holds(Threshold condition, Step step, List<TrialRow> rows) {
        return SweepSummary.measured(step, rows).stream()
                .flatMapToDouble(trial -> observed(condition, trial))
                .anyMatch(value -> condition.operator().holds(value, condition.limitValue()));
    }

    /** The condition's figure in one trial: each operation's if it is a time, else that of all operations. */
    private static DoubleStream observed(Threshold condition, List<TrialRow> trial) {
        if (condition.figure() instanceof Figure.Time time) {
            return DoubleStream.of(SweepSummary.values(trial, column(time)));
        }
        return DoubleStream.of(
                switch ((Figure.Count) condition.figure()) {
                    case FAILURES -> SweepSummary.sum(trial, TrialRow.FAILED)
                            * (condition.unit() == Threshold.Unit.PERCENT
                                    ? 100 / SweepSummary.sum(trial, TrialRow.TOTAL_OPS)
                                    : 1);
                    case RPS -> SweepSummary.sum(trial, TrialRow.OPS_PER_SECOND);
                    case REQUESTS -> SweepSummary.sum(trial, TrialRow.TOTAL_OPS);
                    case RESENT -> throw new IllegalStateException("resent has no column");
                });
    }

    private static String column(Figure.Time time) {
        return time.of() == Timing.RESPONSE
                ? time.statistic().toString().replace(".", "") + "_ms"
                : TrialRow.column(time.of(), time.statistic());
    }
}
