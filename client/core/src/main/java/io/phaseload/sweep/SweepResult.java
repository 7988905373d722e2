package io.phaseload.sweep;

import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.trials.Derived;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measurements of a sweep so far, or several merged sweeps.
 *
 * @param info the plan that was run
 * @param trials the finished trials
 * @param finished true if nothing is left to run
 * @param skipped the steps that a stop rule skipped
 */
public record SweepResult(SweepInfo info, TrialTable trials, boolean finished, List<Skipped> skipped) {

    /**
     * A step of which some or all trials weren't run.
     *
     * @param step its number
     * @param reason why
     */
    public record Skipped(int step, String reason) {}

    /** Keeps the list from being changed. */
    public SweepResult {
        skipped = List.copyOf(skipped);
    }

    /**
     * Reads a sweep's folder.
     *
     * @param folder of the sweep
     * @return its sweep
     * @throws IOException if it isn't a sweep's folder, its version isn't supported, or its {@code trials.csv} and its
     *     {@code sweep.json} disagree
     */
    public static SweepResult read(Path folder) throws IOException {
        SweepResult result = SweepJson.read(folder);
        SweepJson.check(folder, result);
        return result;
    }

    /**
     * Its name.
     *
     * @return the name, as in its folder's
     */
    public String name() {
        return info.name();
    }

    /**
     * The grid.
     *
     * @return in order; of a sweep that was read, only the steps with finished trials
     */
    public List<Step> steps() {
        return info.steps();
    }

    /**
     * The measurement.
     *
     * @return a row for each operation of each trial, in the order in which trials were run
     */
    public List<TrialRow> rows() {
        return trials.rows();
    }

    /**
     * Names of metrics.
     *
     * @return their columns, in order
     */
    public List<String> metrics() {
        return trials.metrics();
    }

    /**
     * This sweep with one more column, which tables and charts show as a metric.
     *
     * @param derived the column
     * @return a copy
     * @throws IllegalArgumentException if the name is taken, or a column isn't there
     */
    public SweepResult with(Derived derived) {
        return new SweepResult(info, trials.plus(derived), finished, skipped);
    }

    /**
     * How many trials of a finished sweep have lost their rows.
     *
     * @return empty if none is missing; the steps that a stop rule skipped have none to miss
     */
    public Optional<Integer> missing() {
        if (!finished || info.isMerged()) {
            return Optional.empty();
        }
        Map<List<Integer>, Long> operations = trials.operations();
        long whole = operations.values().stream().mapToLong(n -> n).max().orElse(1);
        int missing = 0;
        for (Step step : steps()) {
            if (skipped.stream().noneMatch(one -> one.step() == step.number())) {
                for (int trial = 1; trial <= info.trials(); trial++) {
                    long own = operations.getOrDefault(List.of(step.number(), trial), 0L);
                    missing += own < whole ? 1 : 0;
                }
            }
        }
        return missing == 0 ? Optional.empty() : Optional.of(missing);
    }

    /**
     * Sums it up.
     *
     * @return each step summarized over its trials, and how throughput grows with users
     */
    public SweepSummary summary() {
        return SweepSummary.of(steps(), rows(), metrics(), info.seed());
    }
}
