package io.phaseload.sweep;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;

/** Receives the progress of a sweep. Called by the thread that runs it, between trials; an exception ends the sweep. */
public interface SweepListener {

    /** Ignores everything. */
    SweepListener NONE = new SweepListener() {};

    /**
     * A trial begins. Called before its hooks.
     *
     * @param trial the trial
     * @param plan the plan that will be run
     * @return a listener for the run's progress
     */
    default RunListener trialStarted(Trial trial, Plan plan) {
        return RunListener.NONE;
    }

    /**
     * A trial's run is over. Not called if a hook before the trial failed. If the sweep was stopped during the trial,
     * the trial was measured, but doesn't count.
     *
     * @param trial the trial
     * @param result the measurement; it is on the disk if the sweep has a folder
     */
    default void trialMeasured(Trial trial, Result result) {}

    /**
     * A trial is over and counts.
     *
     * @param trial the trial
     * @param rows one per operation; they are on the disk if the sweep has a folder
     */
    default void trialFinished(Trial trial, List<TrialRow> rows) {}
}
