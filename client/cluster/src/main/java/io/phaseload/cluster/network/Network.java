package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** How the members of a cluster reach each other; the same for all of them. */
public enum Network {

    /** Each connects to each other one. */
    MESH,

    /**
     * Each agent connects to the coordinator alone, which passes on their messages: nobody need be able to connect to
     * an agent.
     */
    TUNNEL;

    /**
     * The coordinator's.
     *
     * @param at 0 for any port that is free
     * @throws IOException if it can't listen there
     */
    public NodeTransport listen(InetSocketAddress at, ClusterAccess access) throws IOException {
        Identity identity = Identity.of(access, Role.COORDINATOR);
        return this == MESH ? Mesh.listen(at, identity) : RouterTransport.listen(at, identity);
    }

    /**
     * An agent's.
     *
     * @param bind the agent's own address
     * @param coordinator the only one whose commands the agent obeys
     */
    public NodeTransport join(InetAddress bind, Greeting coordinator, ClusterAccess access) throws IOException {
        Identity identity = Identity.of(access, Role.AGENT);
        return this == MESH
                ? Mesh.join(bind, coordinator, identity)
                : RouterTransport.join(bind, coordinator, identity);
    }
}
