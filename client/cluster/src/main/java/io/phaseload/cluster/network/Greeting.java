package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PublicKey;
import java.util.Optional;

/**
 * A coordinator that has authenticated itself.
 *
 * @param coordinator its address
 * @param own this machine's address on the way there
 * @param key the coordinator's key, with which it signs its commands
 */
public record Greeting(InetSocketAddress coordinator, InetAddress own, PublicKey key) {

    /**
     * Authenticates a coordinator, without joining it.
     *
     * @param access this member's
     * @param coordinator the coordinator's address
     * @return empty if no process listens there yet
     * @throws UntrustedException if the process that listens there isn't a coordinator with this secret and version
     * @throws UnansweredException if it is another program
     * @throws IOException if this member's own keys can't be used
     */
    public static Optional<Greeting> with(ClusterAccess access, InetSocketAddress coordinator) throws IOException {
        return Identity.of(access, Role.AGENT).greet(coordinator, Role.COORDINATOR::isOf, "the coordinator has ");
    }
}
