package io.phaseload.sweep;

import io.phaseload.stats.Description;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;
import java.util.Optional;

/**
 * Finds where throughput stops growing: at two steps in a row with less than 5 % more than the best step before them.
 */
final class Plateau {

    private static final double GROWTH = 1.05;
    private static final int STEPS = 2;

    private Plateau() {}

    /**
     * The second of those two steps.
     *
     * @param steps of one group, in order of load
     */
    static Optional<Step> of(List<Step> steps, List<TrialRow> rows) {
        double best = Double.NaN;
        int flat = 0;
        for (Step step : steps) {
            double[] trials = SweepSummary.measured(step, rows).stream()
                    .mapToDouble(trial -> SweepSummary.sum(trial, TrialRow.OPS_PER_SECOND))
                    .toArray();
            if (trials.length == 0) {
                continue;
            }
            double median = Description.of(trials).median();
            flat = median < best * GROWTH ? flat + 1 : 0;
            if (flat == STEPS) {
                return Optional.of(step);
            }
            best = Double.isNaN(best) ? median : Math.max(best, median);
        }
        return Optional.empty();
    }
}
