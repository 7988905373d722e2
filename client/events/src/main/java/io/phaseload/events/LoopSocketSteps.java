package io.phaseload.events;

import io.phaseload.events.connection.LoopSockets;
import io.phaseload.http.request.RequestSource;
import io.phaseload.http.socket.SocketSteps;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import java.util.Optional;

/**
 * The users' WebSockets. Immutable, and shared by all loops of a run.
 *
 * @param maker makes each user's
 */
record LoopSocketSteps(SocketSteps steps, LoopSockets maker) {

    /** Those of a plan; empty if it has no such steps. */
    static Optional<LoopSocketSteps> of(Plan plan, RequestSource requests) {
        return plan.scenario()
                .journeys()
                .filter(Journeys::haveSockets)
                .map(any -> new LoopSocketSteps(new SocketSteps(plan, requests), LoopSockets.find()));
    }

    /**
     * Checks that a plan's steps can be done.
     *
     * @throws IllegalArgumentException naming what isn't allowed, or what isn't there
     */
    static void check(Plan plan) {
        if (plan.scenario().journeys().filter(Journeys::haveSockets).isEmpty()) {
            return;
        }
        LoopSockets.find();
        if (plan.engine().protocol() instanceof Protocol.Http2) {
            throw new IllegalArgumentException("HTTP/2 cannot be combined with a step connect");
        }
    }
}
