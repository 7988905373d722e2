package io.phaseload.cluster.agent;

import io.phaseload.cluster.network.UnansweredException;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import java.io.IOException;

/** The owner of an agent, which runs its plans. Called by the agent's own thread. */
public interface AgentWork {

    /**
     * The agent is a member of a coordinator's cluster, and waits for a plan.
     *
     * @param coordinator its address
     */
    void joined(String coordinator);

    /**
     * Somebody listens where the coordinator should, but the agent couldn't join. It tries again and again, and says
     * this once, until the reason is another one.
     *
     * @param coordinator its address
     * @param why an {@link UnansweredException} if no coordinator answers
     */
    default void notJoined(String coordinator, IOException why) {}

    /**
     * A run is about to begin.
     *
     * @param plan the agent's part
     * @return a new folder for its results
     * @throws IOException if there can't be one; the coordinator gets the reason
     */
    ResultFolder folder(Plan plan) throws IOException;

    /**
     * A run has ended, and the coordinator has its result, which is still to be written.
     *
     * @param folder the result of {@link #folder}
     */
    void ended(Result result, ResultFolder folder);

    /**
     * A run has failed, and the coordinator has the reason.
     *
     * @param why the reason
     */
    default void failed(String why) {}

    /** A run's results are written, but its coordinator was lost before it had them. */
    default void coordinatorLost() {}
}
