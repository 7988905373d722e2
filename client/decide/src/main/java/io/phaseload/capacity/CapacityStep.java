package io.phaseload.capacity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A step of a search: one run at one load.
 *
 * @param number from 1
 * @param purpose the reason for the step
 * @param load requests a second, or users
 * @param agents the agents that sent it; 0 if this JVM did
 * @param time the time of its run
 * @param outcome the outcome, of this step and those before it that it repeats
 * @param holds the probability that all objectives hold at this load, from 0 to 1
 * @param perSecond the requests a second that ended
 * @param objectives the objectives in it
 * @param client the client in it
 * @param diagnosis the largest explanation of failures and slow responses, if there is one
 * @param folder its results folder, seen from that of the search
 */
public record CapacityStep(
        int number,
        Purpose purpose,
        double load,
        int agents,
        @JsonUnwrapped StepTime time,
        Outcome outcome,
        double holds,
        double perSecond,
        List<ObjectiveResult> objectives,
        ClientRoom client,
        Optional<String> diagnosis,
        String folder) {

    /**
     * The time of a run.
     *
     * @param startedAt the time when it began
     * @param seconds its length
     */
    public record StepTime(Instant startedAt, double seconds) {}

    /** The reason for a step. */
    public enum Purpose {
        /** To find a load that doesn't hold, or that does. */
        BRACKET,
        /** To halve what is unknown. */
        BISECT,
        /** The same load again, since the service wasn't steady, or with more agents. */
        AGAIN,
        /** The result once more, and longer. */
        CONFIRM
    }

    /** Keeps the objectives from being changed. */
    public CapacityStep {
        objectives = List.copyOf(objectives);
    }

    /** {@return the objective that was the least likely to hold} */
    public ObjectiveResult worst() {
        return StepJudge.worst(objectives);
    }
}
