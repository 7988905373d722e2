package io.phaseload.sweep;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.sweep.trials.Trial;
import java.util.Optional;

/**
 * Actions before and after each trial that aren't measured, such as filling and emptying a database. Called by the
 * thread that runs the sweep, one trial after another; an exception ends the sweep.
 */
public interface TrialHooks {

    /** Does nothing. */
    TrialHooks NONE = new TrialHooks() {};

    /**
     * Called before a trial's run.
     *
     * @param trial the trial
     * @param plan the plan that will be run
     * @return why the trial can't be run, if so; it then counts as failed, and the sweep goes on
     */
    default Optional<String> before(Trial trial, Plan plan) {
        return Optional.empty();
    }

    /**
     * Called right after a trial's run, before its files are written.
     *
     * @param trial the trial
     * @param result of the run
     * @return the result, possibly with additions
     */
    default Result measured(Trial trial, Result result) {
        return result;
    }

    /**
     * Called after each trial, even if it failed or was stopped, to clean up for the next one.
     *
     * @param trial the trial
     * @param plan the trial's plan
     * @return why the trial counts as failed, if so
     */
    default Optional<String> after(Trial trial, Plan plan) {
        return Optional.empty();
    }
}
