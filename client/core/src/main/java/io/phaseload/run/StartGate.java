package io.phaseload.run;

import io.phaseload.plan.Phase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands between "all users of a phase are ready" and "its clock starts", so that several clients
 * can start a phase together.
 *
 * <p>A hold is part of the run's wall time, and of the {@link
 * io.phaseload.measure.Interval#start()} of the intervals after it, which counts from the run's
 * beginning. It is no part of a phase's time, nor of the time after which a target that can't be
 * reached is given up.
 */
@FunctionalInterface
public interface StartGate {

    /** Holds nothing up. */
    StartGate OPEN = phase -> CompletableFuture.completedFuture(null);

    /**
     * All users of a phase are ready, and send nothing yet. Called once a phase, in order, by the
     * thread that runs the plan.
     *
     * @param phase the one that is about to start
     * @return completes when its clock is to start. A stop of the run is not held up by it. If it
     *     completes exceptionally, the run ends with that as its fault
     */
    CompletionStage<Void> ready(Phase phase);
}
