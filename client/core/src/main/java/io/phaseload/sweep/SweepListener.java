package io.phaseload.sweep;

import io.phaseload.engine.RunListener;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import java.util.List;
import java.util.Optional;

/**
 * Hears how a sweep goes. Called by the thread that runs it, between trials; what it throws ends
 * the sweep.
 */
public interface SweepListener {

    /** Hears nothing. */
    SweepListener NONE = new SweepListener() {};

    /**
     * A trial begins; its hooks come next.
     *
     * @param trial which one
     * @param plan what will be run
     * @return hears how the run goes
     */
    default RunListener trialStarted(Trial trial, Plan plan) {
        return RunListener.NONE;
    }

    /**
     * A trial is over and counts. One during which the sweep was stopped doesn't.
     *
     * @param trial which one
     * @param result what its run came to; empty if a hook failed before it
     * @param rows one an operation; they are on the disk if the sweep has a folder
     */
    default void trialFinished(Trial trial, Optional<Result> result, List<TrialRow> rows) {}
}
