package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** How the members of a cluster reach each other; the same for all of them. */
public enum Network {

    /** Each connects to each other one. */
    MESH {
        @Override
        public Transport listen(InetSocketAddress at, Access access) throws IOException {
            return Mesh.listen(at, Identity.of(access, Role.COORDINATOR));
        }

        @Override
        public Transport join(InetAddress bind, Greeting coordinator, Access access) throws IOException {
            return Mesh.join(bind, coordinator, Identity.of(access, Role.AGENT));
        }
    },

    /**
     * Each agent connects to the coordinator alone, which passes on their messages: nobody need be able to connect to
     * an agent.
     */
    TUNNEL {
        @Override
        public Transport listen(InetSocketAddress at, Access access) throws IOException {
            return Tunnel.listen(at, Identity.of(access, Role.COORDINATOR));
        }

        @Override
        public Transport join(InetAddress bind, Greeting coordinator, Access access) throws IOException {
            return Tunnel.join(bind, coordinator, Identity.of(access, Role.AGENT));
        }
    };

    /**
     * The coordinator's.
     *
     * @param at 0 for any port that is free
     * @throws IOException if it can't listen there
     */
    public abstract Transport listen(InetSocketAddress at, Access access) throws IOException;

    /**
     * An agent's.
     *
     * @param bind the agent's own address
     * @param coordinator the only one whose commands the agent obeys
     */
    public abstract Transport join(InetAddress bind, Greeting coordinator, Access access) throws IOException;
}
