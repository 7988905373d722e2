package io.phaseload.engine;

import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;
import java.util.function.Function;

/**
 * Runs a plan once and measures it. {@link #run(StartGate)} is called once; {@link #stop()} by any thread, any number
 * of times.
 *
 * @param controller runs the phases
 * @param phases has the controller run all phases, with the users of one kind of engine
 */
public record Engine(RunController controller, Function<StartGate, Measurement> phases) {

    /**
     * Runs all phases and returns what was measured, even if the run was stopped or the thread interrupted. An
     * interrupt ends the run like a stop; the thread's interrupt flag is set again.
     *
     * @param gate can delay each phase's start, when all of its users are ready
     * @throws IllegalStateException if a run is started a second time
     */
    public Measurement run(StartGate gate) {
        return phases.apply(gate);
    }

    /**
     * Runs all phases, each as soon as its users are ready; see {@link #run(StartGate)}.
     *
     * @throws IllegalStateException if a run is started a second time
     */
    public Measurement run() {
        return run(StartGate.OPEN);
    }

    /**
     * Ends the run: no more requests are sent, those in flight may end within five seconds, and {@link #run(StartGate)}
     * returns what was measured.
     */
    public void stop() {
        controller.stop();
    }

    /** {@return a hand on its load while it runs} */
    public Steering steering() {
        return controller;
    }
}
