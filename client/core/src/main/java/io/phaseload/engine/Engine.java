package io.phaseload.engine;

/**
 * Runs a plan once and measures it. {@link #run()} is called once; {@link #stop()} by any thread,
 * any number of times.
 */
public interface Engine {

    /**
     * Runs all phases and returns what was measured, also if it was stopped, or the thread was
     * interrupted (which ends the run as a stop does; the thread's interrupt flag is set again).
     *
     * @return what was measured
     * @throws IllegalStateException if it is called a second time
     */
    Measurement run();

    /**
     * Ends the run: no more requests are sent, those in flight may end within five seconds, and
     * {@link #run()} returns what was measured.
     */
    void stop();
}
