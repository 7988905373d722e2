package io.phaseload.run;

import io.phaseload.measure.Interval;
import io.phaseload.measure.recording.RequestSink;
import io.phaseload.plan.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Receives the progress of a run. Calls come one at a time, from the run's own threads, and are not part of what is
 * measured. They should return soon; an exception ends the run.
 */
public interface RunListener {

    /** Ignores everything. */
    RunListener NONE = new RunListener() {};

    /**
     * The run begins.
     *
     * @param at the time
     */
    default void runStarted(Instant at) {}

    /**
     * A phase's users are being made, perhaps by several threads, each of which asks. The phase's requests go one by
     * one to the sinks; messages of pairs do not.
     *
     * @param phase the phase
     * @return empty, unless each request is wanted
     */
    default Optional<RequestSink> requests(Phase phase) {
        return Optional.empty();
    }

    /**
     * A phase begins: all its users were ready and are released.
     *
     * @param users the number of users that run it
     */
    default void phaseStarted(Phase phase, int users) {}

    /**
     * The load was changed, or will be in a moment.
     *
     * @param event the change
     */
    default void loadChanged(LoadEvent event) {}

    /**
     * A second of a phase has passed. Called after its interval.
     *
     * @param progress the progress
     */
    default void progress(Progress progress) {}

    /**
     * A second of a phase has passed, or the rest of one at its end.
     *
     * @param interval the requests that ended in it
     */
    default void interval(Interval interval) {}

    /**
     * A second of one of several agents, which is part of a later {@link #interval}.
     *
     * @param agent its name
     * @param interval the requests of the agent that ended in it
     */
    default void agentInterval(String agent, Interval interval) {}

    /**
     * All users of a phase have ended. Called after the phase's last interval.
     *
     * @param wall from the first user's start to the last one's end
     */
    default void phaseFinished(Phase phase, Duration wall) {}

    /**
     * The progress of a phase.
     *
     * @param phase the phase
     * @param done the part of the phase that is done, 0 to 1
     * @param elapsed since the phase's start
     * @param requestsPerSecond requests that ended in the last interval, by its length
     * @param p99 of the response times of the last interval; zero if nothing ended in it
     * @param failed failed requests since the phase's start
     */
    record Progress(Phase phase, double done, Duration elapsed, double requestsPerSecond, Duration p99, long failed) {}
}
