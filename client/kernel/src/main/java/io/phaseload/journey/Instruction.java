package io.phaseload.journey;

import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Condition;
import io.phaseload.plan.journey.SessionValues;
import java.util.function.Consumer;

/** A part of a {@link Program}. Immutable. */
public sealed interface Instruction {

    /**
     * Sends a request.
     *
     * @param operation its index in the scenario
     * @param name of the step, for messages
     * @param groups indices of what it is timed with as a part of, the outermost first
     */
    record Send(int operation, String name, Step.OnFailure onFailure, int[] groups) implements Instruction {}

    /**
     * Waits before the next request.
     *
     * @param minNanos the least
     * @param maxNanos the most
     */
    record ThinkTime(long minNanos, long maxNanos) implements Instruction {}

    /** Calls code. */
    record Call(Consumer<SessionValues> action) implements Instruction {}

    /**
     * The end of what is timed as a whole.
     *
     * @param group its index
     */
    record GroupEnd(int group) implements Instruction {}

    /** Begins a repetition. */
    record RepeatBlock(int counter, int times) implements Instruction {}

    /** The end of what is repeated. */
    record Again(int counter, int to) implements Instruction {}

    /**
     * Passes over steps unless a condition holds.
     *
     * @param condition compares the sides
     * @param left one side
     * @param right the other
     * @param to behind the steps
     */
    record Unless(Condition condition, CompiledTemplate left, CompiledTemplate right, int to, long requests)
            implements Instruction {

        /** Whether the steps are done. */
        public boolean holds(Session session) {
            return condition.holds(left.value(session), right.value(session));
        }
    }
}
