package io.phaseload.compare;

import io.phaseload.result.Result;
import io.phaseload.result.store.StoredRun;
import java.util.List;

/**
 * One side of a comparison: a run, or several as trials of the same thing.
 *
 * @param name for people, such as a folder's
 * @param trials at least one
 */
public record Side(String name, List<Trial> trials) {

    /**
     * Checks that there are trials.
     *
     * @throws IllegalArgumentException if there are none
     */
    public Side {
        trials = List.copyOf(trials);
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("trials: expected at least one");
        }
    }

    /**
     * A run and the folder that it was read from.
     *
     * @param folder the folder, as the user named it
     * @param run the run in it
     */
    public record Trial(String folder, StoredRun run) {

        /**
         * Its figures.
         *
         * @return the result of the whole run
         */
        public Result result() {
            return run.result();
        }
    }
}
