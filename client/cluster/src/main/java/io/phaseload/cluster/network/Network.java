package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** How the members of a cluster reach each other; the same for all of them. */
public enum Network {

    /** Each connects to each other one. */
    MESH {
        @Override
        public NodeTransport listen(InetSocketAddress at, ClusterAccess access) throws IOException {
            return Mesh.listen(at, Identity.of(access, Role.COORDINATOR));
        }

        @Override
        public NodeTransport join(InetAddress bind, Greeting coordinator, ClusterAccess access) throws IOException {
            return Mesh.join(bind, coordinator, Identity.of(access, Role.AGENT));
        }
    },

    /**
     * Each agent connects to the coordinator alone, which passes on their messages: nobody need be able to connect to
     * an agent.
     */
    TUNNEL {
        @Override
        public NodeTransport listen(InetSocketAddress at, ClusterAccess access) throws IOException {
            return RouterTransport.listen(at, Identity.of(access, Role.COORDINATOR));
        }

        @Override
        public NodeTransport join(InetAddress bind, Greeting coordinator, ClusterAccess access) throws IOException {
            return RouterTransport.join(bind, coordinator, Identity.of(access, Role.AGENT));
        }
    };

    /**
     * The coordinator's.
     *
     * @param at 0 for any port that is free
     * @throws IOException if it can't listen there
     */
    public abstract NodeTransport listen(InetSocketAddress at, ClusterAccess access) throws IOException;

    /**
     * An agent's.
     *
     * @param bind the agent's own address
     * @param coordinator the only one whose commands the agent obeys
     */
    public abstract NodeTransport join(InetAddress bind, Greeting coordinator, ClusterAccess access) throws IOException;
}
