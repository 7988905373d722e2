package io.phaseload.cluster.wire;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.TimeService;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The messages between a coordinator and an agent. Times are nanoseconds of {@link System#nanoTime()} of the machine
 * that is named; nothing is {@code null}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Message {

    /** {@return true if it says something of clocks, and nothing of how a run goes} */
    default boolean isAboutClocks() {
        return this instanceof ClockPong || this instanceof Compared;
    }

    /** A message of one run. */
    interface OfRun {

        String run();
    }

    /** {@return false if it is of another run} */
    default boolean mayBeOf(String run) {
        return !(this instanceof OfRun of) || of.run().equals(run);
    }

    /** An agent offers itself. */
    record Hello(String version, String name, int weight, String host) implements Message {}

    /** The coordinator doesn't take it, or needs it no more. */
    record Refused(String why) implements Message {}

    /** Somebody asks for an agent's clock; {@code sent} is by its own. */
    record ClockPing(long sent) implements Message {}

    /**
     * The answer, with the agent's clock when the question came and when the answer went.
     *
     * @param epochError the largest error
     */
    record ClockPong(long sent, long received, long answered, long epoch, long epochError, Optional<TimeService> kept)
            implements Message {

        /**
         * The whole exchange.
         *
         * @param at the time when the answer came, by the clock of whoever asked
         * @return with the answer's times
         */
        public ClockExchange exchange(long at) {
            return new ClockExchange(sent, received, answered, at);
        }
    }

    /**
     * The coordinator has the agent compare its clock with those of other agents, by their ids. An earlier measurement
     * that isn't over ends with its results so far.
     *
     * @param run its purpose: a run, or a watch on clocks alone
     */
    record Compare(String run, List<String> agents, int exchanges) implements Message {}

    /**
     * The answers of another agent: one or more exchanges, by the clocks that both show.
     *
     * @param run the question's
     * @param agent the other one's id
     */
    record Compared(String run, String agent, List<ClockExchange> exchanges) implements Message {

        /** Checks that there are some. */
        public Compared {
            if (exchanges.isEmpty()) {
                throw new IllegalArgumentException("no exchanges");
            }
        }
    }

    /**
     * The coordinator has the agent get ready.
     *
     * @param run unique among runs
     * @param plan the agent's part of it, with secrets
     * @param variables values of the plan's, which may be of the coordinator's environment
     * @param files all that the plan names, which the agent asks for piece by piece
     * @param patience for how many nanoseconds the agent does without the coordinator
     * @param agents all that take part, the agent itself among them
     */
    record RunOrder(
            String run,
            JsonNode plan,
            Map<String, String> variables,
            List<SentFile> files,
            long patience,
            List<Dealt> agents)
            implements Message {}

    /**
     * An agent of a run.
     *
     * @param name its name
     * @param id unique among members
     * @param part its part of the plan, such as {@code 2/3}
     */
    record Dealt(String name, String id, String part) {}

    /** A message from an agent's engine to another agent's. */
    record PartnerBytes(String run, byte[] bytes) implements Message {}

    /**
     * An agent exchanges nothing with another one any more, since it couldn't reach it for too long. It reports this to
     * the coordinator, who informs the other one, which may still wait.
     *
     * @param agent the id of the other one: to the coordinator, of the one that is given up; from there, of the one
     *     that gave up
     */
    record GaveUp(String run, String agent) implements Message, OfRun {}

    /** The agent wants the next piece of a file, by its index in the order. */
    record Want(String run, int file, long offset) implements Message, OfRun {}

    /** The piece: 1 MiB, but for a file's last one. */
    record FilePiece(String run, int file, long offset, byte[] bytes) implements Message, OfRun {}

    /** The agent has begun a results folder; {@code result} is what is in it so far. */
    record Accepted(String run, String folder, JsonNode result) implements Message, OfRun {}

    /** All users of a phase are there. */
    record Ready(String run, String phase) implements Message, OfRun {}

    /** The coordinator starts a phase, at a time of the agent's own clock. */
    record StartPhase(String run, String phase, long at) implements Message, OfRun {}

    /** The phase has started, at a time of the agent's own clock. */
    record Started(String run, String phase, long at) implements Message, OfRun {}

    /** About a second has passed. */
    record SecondDone(String run, IntervalForm interval) implements Message, OfRun {}

    /** All users of a phase have ended. */
    record Finished(String run, String phase, long wall) implements Message, OfRun {}

    /** All has ended, and this is the result, of operations and journeys its {@link Counts}. */
    record Done(String run, JsonNode result) implements Message, OfRun {}

    /** The agent couldn't do it. */
    record Failed(String run, String why) implements Message, OfRun {}

    /** The coordinator ends the run early. */
    record Stop(String run) implements Message, OfRun {}

    /** The coordinator has all that it needs of a run. */
    record Over(String run) implements Message {}
}
