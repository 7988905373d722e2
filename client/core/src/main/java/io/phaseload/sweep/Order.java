package io.phaseload.sweep;

import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/** The order of trials. */
@EnumNaming(EnumNamingStrategies.LowerCaseStrategy.class)
public enum Order {
    /**
     * All steps forwards, then all backwards, and so on: drift, such as a server that warms up, then affects all steps
     * alike.
     */
    INTERLEAVED,
    /** All trials of a step, then all of the next one. */
    SEQUENTIAL,
    /** Random; the same seed gives the same order. */
    RANDOM;

    /**
     * Lists all trials in this order.
     *
     * @param steps in the order of the grid
     * @param trials the number of runs of each
     * @param seed of {@link #RANDOM}
     * @return each trial of each step once
     */
    List<Trial> arrange(List<Step> steps, int trials, long seed) {
        if (this == SEQUENTIAL) {
            return steps.stream()
                    .flatMap(step -> IntStream.rangeClosed(1, trials).mapToObj(i -> new Trial(step, i)))
                    .toList();
        }
        List<Trial> all = new ArrayList<>();
        for (int i = 1; i <= trials; i++) {
            int round = i;
            List<Step> turn = new ArrayList<>(steps);
            if (round % 2 == 0) {
                Collections.reverse(turn);
            }
            turn.forEach(step -> all.add(new Trial(step, round)));
        }
        if (this == RANDOM) {
            Collections.shuffle(all, new Random(seed));
        }
        return all;
    }
}
