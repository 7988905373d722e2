package io.phaseload.run;

import io.phaseload.plan.Phase;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands between "all users of a phase are ready" and "its clock starts", so that several clients can start a phase
 * together.
 *
 * <p>The wait counts towards the run's wall time, and towards the {@link io.phaseload.measure.Interval#start()} of
 * later intervals, which counts from the start of the run. It counts towards no phase, nor towards the time after which
 * an unreachable target is given up.
 */
@FunctionalInterface
public interface StartGate {

    /** Is always open. */
    StartGate OPEN = phase -> CompletableFuture.completedFuture(null);

    /**
     * All users of a phase are ready and haven't sent anything yet. Called once per phase, in order, by the thread that
     * runs the plan.
     *
     * @param phase the one that is about to start
     * @return completes when the phase's clock is to start; a stop of the run doesn't wait for it. If it completes
     *     exceptionally, the run ends with that exception as its fault
     */
    CompletionStage<Void> ready(Phase phase);

    /**
     * When a phase's clock is to start: asked once its gate is open. The preparation takes some milliseconds, so a gate
     * that opens a moment earlier starts it on time.
     *
     * @param phase the one that is about to start
     * @return as {@link System#nanoTime()}; a time that is past, if it is to start at once
     */
    default long startAt(Phase phase) {
        return System.nanoTime();
    }

    /**
     * A phase's clock was started, after its gate opened: from then on its users send. Called by the thread that runs
     * the plan, which may come to it later than that.
     *
     * @param phase the one that started
     * @param nanos the time, as {@link System#nanoTime()}
     */
    default void started(Phase phase, long nanos) {}

    /**
     * The other clients that run the plan.
     *
     * @return all clients; empty if this one runs it alone, or has nothing to do with the others
     */
    default Optional<Partners> partners() {
        return Optional.empty();
    }
}
