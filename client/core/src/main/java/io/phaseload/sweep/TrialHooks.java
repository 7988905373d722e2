package io.phaseload.sweep;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.sweep.trials.Trial;
import java.util.Optional;

/**
 * What is done around each trial and isn't measured, such as filling a database and emptying it.
 * Called by the thread that runs the sweep, one trial after another; what it throws ends the sweep.
 */
public interface TrialHooks {

    /** Does nothing. */
    TrialHooks NONE = new TrialHooks() {};

    /**
     * Before a trial's run.
     *
     * @param trial which one
     * @param plan what will be run
     * @return why the trial can't be run; it is then a failed one, and the sweep goes on
     */
    default Optional<String> before(Trial trial, Plan plan) {
        return Optional.empty();
    }

    /**
     * Right after a trial's run, before its files are written.
     *
     * @param trial which one
     * @param result of the run
     * @return the result, with what is to be added to it
     */
    default Result measured(Trial trial, Result result) {
        return result;
    }

    /**
     * After a trial, whether it was run, failed or was stopped: the next trial begins with what
     * this one leaves.
     *
     * @param trial which one
     * @param plan what was run, or was to be
     * @return why the trial doesn't count as measured
     */
    default Optional<String> after(Trial trial, Plan plan) {
        return Optional.empty();
    }
}
