package io.phaseload.engine;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import java.util.LinkedHashMap;
import java.util.Map;

/** A part of a plan that some engines can't run. Each engine's provider lists its own. */
public enum Capability {
    /** A number of event loops, and their transport. */
    EVENT_LOOPS,
    /** HTTP/2. */
    HTTP_2,
    /** Several requests on an HTTP/1.1 connection at once. */
    PIPELINING,
    /** A virtual thread for each user. */
    VIRTUAL_THREADS,
    /** Other HTTP clients than our own. */
    OTHER_CLIENTS,
    /** Requests that are signed as they are sent. */
    SIGNED_REQUESTS;

    /** {@return the capabilities that a plan needs, each with the name of the part that needs it} */
    static Map<Capability, String> of(Plan plan) {
        Map<Capability, String> needed = new LinkedHashMap<>();
        EngineSettings engine = plan.engine();
        engine.loops().ifPresent(count -> needed.put(EVENT_LOOPS, "loops " + count));
        engine.transport().ifPresent(kind -> needed.putIfAbsent(EVENT_LOOPS, "transport " + kind));
        if (engine.protocol() instanceof Protocol.Http2) {
            needed.put(HTTP_2, "HTTP/2");
        } else if (engine.protocol().usersPerConnection() > 1) {
            needed.put(PIPELINING, "pipeline " + engine.protocol().usersPerConnection());
        }
        if (plan.virtualThreads()) {
            needed.put(VIRTUAL_THREADS, "virtual threads");
        }
        engine.client().ifPresent(any -> needed.put(OTHER_CLIENTS, "client " + engine.clientName()));
        plan.signer().ifPresent(any -> needed.put(SIGNED_REQUESTS, "signed requests"));
        return needed;
    }
}
