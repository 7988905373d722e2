package io.phaseload.sweep;

import io.phaseload.stats.Description;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
            double[] trials = throughputs(step, rows);
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

    /** One per trial: the throughput of all its operations together. */
    static double[] throughputs(Step step, List<TrialRow> rows) {
        Map<Integer, Double> trials = rows.stream()
                .filter(row -> row.step() == step.number() && row.isOk())
                .collect(
                        Collectors.groupingBy(TrialRow::trial, TreeMap::new, Collectors.summingDouble(row -> row.number(
                                        TrialRow.OPS_PER_SECOND)
                                .orElse(0))));
        return trials.values().stream().mapToDouble(Double::doubleValue).toArray();
    }
}
