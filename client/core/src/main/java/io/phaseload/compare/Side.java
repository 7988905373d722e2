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
     * A run with its figures.
     *
     * @param folder where it was read from
     * @param run what is in it
     * @param result of the whole run
     */
    public record Trial(String folder, StoredRun run, Result result) {

        /**
         * Computes the figures of a run.
         *
         * @param folder where it was read from
         * @param run what is in it
         * @return the trial
         */
        public static Trial of(String folder, StoredRun run) {
            return new Trial(folder, run, run.result(interval -> true));
        }
    }
}
