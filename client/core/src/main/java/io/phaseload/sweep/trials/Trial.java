package io.phaseload.sweep.trials;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run of a step.
 *
 * @param step the step
 * @param number from 1
 */
public record Trial(Step step, int number) {

    /**
     * Where its results are within the sweep's folder.
     *
     * @return such as {@code step-01/trial-2}; all trials of a step are in one folder
     */
    public String folder() {
        return step.folder() + "/trial-" + number;
    }

    /**
     * The values that its plan may depend on.
     *
     * @return the step's values, and the numbers of {@code step} and {@code trial}
     */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>(step.values());
        values.put(TrialRow.STEP, Integer.toString(step.number()));
        values.put(TrialRow.TRIAL, Integer.toString(number));
        return values;
    }
}
