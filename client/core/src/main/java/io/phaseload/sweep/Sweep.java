package io.phaseload.sweep;

import io.phaseload.result.Environment;
import java.time.Instant;
import java.util.List;

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
     * Sums it up.
     *
     * @param rows of the trials that are over
     * @return the summary
     */
    public SweepSummary summary(List<TrialRow> rows) {
        return SweepSummary.of(steps, rows, metrics, seed);
    }
}
