package io.phaseload.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.phaseload.result.Environment;
import io.phaseload.sweep.trials.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The data of a sweep before its first trial: a part of {@code sweep.json}.
 *
 * @param name part of its folder's name
 * @param startedAt the time when its first trial began
 * @param environment the machine that runs it
 * @param arguments its command line, without secrets, for resuming it; may be empty
 * @param trials the number of trials per step
 * @param order the order of trials
 * @param seed the seed of all random numbers
 * @param steps the steps of the grid
 */
@JsonIgnoreProperties({"steps", "merged"})
public record SweepInfo(
        String name,
        Instant startedAt,
        Environment environment,
        List<String> arguments,
        int trials,
        Order order,
        long seed,
        List<Step> steps) {

    /** The first argument of merged sweeps. */
    static final String MERGE = "merge";

    /** Keeps the lists from being changed. */
    public SweepInfo {
        arguments = List.copyOf(arguments);
        steps = List.copyOf(steps);
    }

    /**
     * Reads a sweep that can be resumed.
     *
     * @param folder of the sweep
     * @return the sweep as it was last written
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
     * This sweep as the continuation of an interrupted one.
     *
     * @throws IOException if that was a different sweep, whose trials must not be mixed with this one's
     */
    SweepInfo restOf(SweepInfo interrupted) throws IOException {
        if (order != interrupted.order || seed != interrupted.seed) {
            throw new IOException("its order was %s and its seed %d: expected the same"
                    .formatted(interrupted.order.name().toLowerCase(Locale.ROOT), interrupted.seed));
        }
        for (Step step : interrupted.steps) {
            if (!steps.contains(step)) {
                throw new IOException(
                        "its step %d was %s: expected the same steps".formatted(step.number(), step.values()));
            }
        }
        return new SweepInfo(name, interrupted.startedAt, environment, arguments, trials, order, seed, steps);
    }

    /**
     * Whether it was merged from others. Then its steps may have different numbers of trials, and it can't be resumed.
     *
     * @return {@code false} if it was run as it is
     */
    public boolean isMerged() {
        return !arguments.isEmpty() && arguments.get(0).equals(MERGE);
    }

    /**
     * A step by its values.
     *
     * @param number of the step
     * @return such as {@code threads=10, size=1k}; empty if nothing varies; the number of a skipped step, whose values
     *     aren't stored
     */
    public String describe(int number) {
        return steps.stream()
                .filter(step -> step.number() == number)
                .findFirst()
                .map(Step::toString)
                .orElse("step " + number);
    }
}
