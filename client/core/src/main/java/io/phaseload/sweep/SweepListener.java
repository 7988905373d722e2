package io.phaseload.sweep;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;

/**
 * Hears how a sweep goes. Called by the thread that runs it, between trials; what it throws ends
 * the sweep.
 */
public interface SweepListener {

    /** Ignores everything. */
    SweepListener NONE = new SweepListener() {};

    /**
     * A trial begins; its hooks come next.
     *
     * @param trial which one
     * @param plan what will be run
     * @return told of the run's progress
     */
    default RunListener trialStarted(Trial trial, Plan plan) {
        return RunListener.NONE;
    }

    /**
     * A trial's run is over; not called for a trial whose hook failed before it. A trial during
     * which the sweep was stopped was measured, but never finishes.
     *
     * @param trial which one
     * @param result what was measured; it is on the disk if the sweep has a folder
     */
    default void trialMeasured(Trial trial, Result result) {}

    /**
     * A trial is over and counts.
     *
     * @param trial which one
     * @param rows one per operation; they are on the disk if the sweep has a folder
     */
    default void trialFinished(Trial trial, List<TrialRow> rows) {}
}
