package io.phaseload.sweep;

import io.phaseload.result.Environment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a sweep is and how far it has come: what {@code sweep.json} holds.
 *
 * @param name names its folder
 * @param startedAt when its first trial began
 * @param environment where it is run
 * @param arguments its command line, without secrets; what it goes on with
 * @param trials how often each step is run
 * @param order which trial comes when
 * @param seed of all random numbers
 * @param steps the grid
 * @param metrics names of the columns that hold metrics
 * @param finished whether nothing is left to run
 * @param skipped steps that a stop rule left out
 */
public record Sweep(
        String name,
        Instant startedAt,
        Environment environment,
        List<String> arguments,
        int trials,
        Order order,
        long seed,
        List<Step> steps,
        List<String> metrics,
        boolean finished,
        List<Skipped> skipped) {

    /** Its file's name in a sweep's folder. */
    public static final String FILE = "sweep.json";

    /** What the arguments of merged sweeps begin with. */
    static final String MERGE = "merge";

    /**
     * A step that wasn't run, or not as often as the others.
     *
     * @param step its number
     * @param reason why
     */
    public record Skipped(int step, String reason) {}

    /**
     * This sweep, further on.
     *
     * @param nowFinished whether nothing is left to run
     * @param nowSkipped steps that a stop rule left out
     * @return a copy
     */
    public Sweep with(boolean nowFinished, List<Skipped> nowSkipped) {
        return new Sweep(
                name,
                startedAt,
                environment,
                arguments,
                trials,
                order,
                seed,
                steps,
                metrics,
                nowFinished,
                List.copyOf(nowSkipped));
    }

    /**
     * Whether it was merged from others: its steps may have different numbers of trials, and it
     * can't go on.
     *
     * @return {@code false} for one that was run as it is
     */
    public boolean isMerged() {
        return !arguments.isEmpty() && arguments.get(0).equals(MERGE);
    }

    Sweep withMetrics(List<String> newMetrics) {
        return new Sweep(
                name,
                startedAt,
                environment,
                arguments,
                trials,
                order,
                seed,
                steps,
                List.copyOf(newMetrics),
                finished,
                skipped);
    }

    /**
     * A step by its values.
     *
     * @param number of the step
     * @return such as {@code threads=10, size=1k}; empty where nothing is varied, and the number of
     *     a step that was left out, whose values a sweep that was read back doesn't have
     */
    public String describe(int number) {
        return steps.stream()
                .filter(step -> step.number() == number)
                .findFirst()
                .map(Step::toString)
                .orElse("step " + number);
    }

    /**
     * How many trials aren't among the rows, though the sweep is finished: their rows were lost.
     *
     * @param rows of the trials that are over
     * @return empty if none is missing; steps that a stop rule left out have none to miss
     */
    public Optional<Integer> missing(List<TrialRow> rows) {
        if (!finished || isMerged()) {
            return Optional.empty();
        }
        Map<List<Integer>, Long> operations =
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> List.of(row.step(), row.trial()),
                                        Collectors.counting()));
        long whole = operations.values().stream().mapToLong(n -> n).max().orElse(1);
        int missing = 0;
        for (Step step : steps) {
            if (skipped.stream().noneMatch(one -> one.step() == step.number())) {
                for (int trial = 1; trial <= trials; trial++) {
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
     * @param rows of the trials that are over
     * @return the summary
     */
    public SweepSummary summary(List<TrialRow> rows) {
        return SweepSummary.of(steps, rows, metrics, seed);
    }
}
