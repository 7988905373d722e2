package io.phaseload.sweep.trials;

import java.util.Locale;

/**
 * One run of a step.
 *
 * @param step what is run
 * @param number from 1
 */
public record Trial(Step step, int number) {

    /**
     * Where its results are within the sweep's folder.
     *
     * @return such as {@code step-01/trial-2}; all trials of a step are in one folder
     */
    public String folder() {
        return String.format(Locale.ROOT, "step-%02d/trial-%d", step.number(), number);
    }
}
