package io.phaseload.engine;

import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;

/**
 * Runs a plan once and measures it. {@link #run(StartGate)} is called once; {@link #stop()} by any thread, any number
 * of times.
 */
public interface Engine {

    /**
     * Runs all phases and returns what was measured, even if the run was stopped or the thread interrupted. An
     * interrupt ends the run like a stop; the thread's interrupt flag is set again.
     *
     * @param gate can delay each phase's start, when all of its users are ready
     * @throws IllegalStateException if a run is started a second time
     */
    Measurement run(StartGate gate);

    /**
     * Runs all phases, each as soon as its users are ready; see {@link #run(StartGate)}.
     *
     * @throws IllegalStateException if a run is started a second time
     */
    default Measurement run() {
        return run(StartGate.OPEN);
    }

    /**
     * Ends the run: no more requests are sent, those in flight may end within five seconds, and {@link #run(StartGate)}
     * returns what was measured.
     */
    void stop();

    /** {@return a hand on its load while it runs} */
    default Steering steering() {
        return Steering.refusing("this engine's load cannot be changed while it runs", this::stop);
    }
}
