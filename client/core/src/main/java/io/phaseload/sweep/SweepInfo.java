package io.phaseload.sweep;

import io.phaseload.result.Environment;
import io.phaseload.sweep.trials.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What a sweep is: the part of {@code sweep.json} that is known before the first trial.
 *
 * @param name names its folder
 * @param startedAt when its first trial began
 * @param environment where it is run
 * @param arguments its command line, without secrets; what it is resumed with. None if it has none
 * @param trials how often each step is run
 * @param order which trial comes when
 * @param seed of all random numbers
 * @param steps the grid
 */
public record SweepInfo(
        String name,
        Instant startedAt,
        Environment environment,
        List<String> arguments,
        int trials,
        Order order,
        long seed,
        List<Step> steps) {

    /** What the arguments of merged sweeps begin with. */
    static final String MERGE = "merge";

    /** Keeps the lists from being changed. */
    public SweepInfo {
        arguments = List.copyOf(arguments);
        steps = List.copyOf(steps);
    }

    /**
     * Reads what a sweep is that can be resumed.
     *
     * @param folder of the sweep
     * @return as it was last written
     * @throws IOException if it isn't one, or can't be resumed
     */
    public static SweepInfo toResume(Path folder) throws IOException {
        SweepInfo info = SweepJson.read(folder).info();
        if (info.isMerged()) {
            throw new IOException("a merged sweep can't be resumed; resume the originals");
        }
        return info;
    }

    /**
     * This sweep as the rest of one that was interrupted.
     *
     * @throws IOException if that was another sweep, whose trials would be taken for this one's
     */
    SweepInfo restOf(SweepInfo interrupted) throws IOException {
        if (order != interrupted.order || seed != interrupted.seed) {
            throw new IOException(
                    "its order was %s and its seed %d: expected the same"
                            .formatted(
                                    interrupted.order.name().toLowerCase(Locale.ROOT),
                                    interrupted.seed));
        }
        for (Step step : interrupted.steps) {
            if (!steps.contains(step)) {
                throw new IOException(
                        "its step %d was %s: expected the same steps"
                                .formatted(step.number(), step.values()));
            }
        }
        return new SweepInfo(
                name, interrupted.startedAt, environment, arguments, trials, order, seed, steps);
    }

    /**
     * Whether it was merged from others: its steps may have different numbers of trials, and it
     * can't be resumed.
     *
     * @return {@code false} for one that was run as it is
     */
    public boolean isMerged() {
        return !arguments.isEmpty() && arguments.get(0).equals(MERGE);
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
}
