package io.phaseload.engine;

import io.phaseload.health.LoopLag;
import io.phaseload.measure.Recorder;
import java.time.Duration;

/** The users of one phase: what an engine brings to a {@link PhaseCourse}. */
public interface PhaseUsers {

    /**
     * Gets all users ready, calls {@link PhaseCourse#begin()} when they are, lets them send, calls
     * {@link PhaseCourse#end()} when the last one has ended, and returns when nothing of them is
     * left. Where it can't, it tells {@link PhaseCourse#fail}. Called once.
     */
    void run();

    /**
     * The run is being stopped: what is in flight then is ended after a while. May come at any
     * time, from any thread, more than once.
     *
     * @param limit so long it may go on
     */
    void drain(Duration limit);

    /**
     * What their requests are recorded in.
     *
     * @return the same one at each call
     */
    Recorder recorder();

    /**
     * How late their event loops were in this phase, if they have some. Asked for at its end.
     *
     * @return that of the latest loop
     */
    default LoopLag lag() {
        return LoopLag.NONE;
    }
}
