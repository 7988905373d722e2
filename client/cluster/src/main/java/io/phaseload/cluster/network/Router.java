package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jgroups.Address;
import org.jgroups.stack.GossipRouter;
import org.jgroups.stack.IpAddress;

/** Passes on the messages of members to each other, over the connections that they have made to it. */
final class Router extends GossipRouter {

    /** JGroups bundles messages up to 64 kB, and splits larger ones. */
    private static final int MOST_BYTES = 1_000_000;

    /** The most that waits for a member that can't be reached; after that, others send theirs again. */
    private static final int MOST_WAITING = 1_024;

    /** Kept, or the level would be collected with it. */
    private static final Logger OWN = Logger.getLogger(Router.class.getName());

    private Router(InetAddress bind, int port) throws Exception {
        super(bind, port);
    }

    /**
     * One that listens.
     *
     * @param at 0 for any port that is free
     * @throws IOException if it can't
     */
    static Router start(InetSocketAddress at, Identity identity) throws IOException {
        try {
            OWN.setLevel(Level.OFF);
            Router router = new Router(
                    at.getAddress(), at.getPort() == 0 ? 0 : NodeTransport.freePort(at.getAddress(), at.getPort()));
            router.diagHandler().setEnabled(false);
            router.maxLength(MOST_BYTES);
            // One that is cut off doesn't hold up the others.
            router.nonBlockingSends(true).maxSendQueue(MOST_WAITING);
            router.socketFactory(identity.sockets());
            router.start();
            // Or each message would wait for the receipt of the last one.
            router.server.tcpNodelay(true);
            return router;
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public int port() {
        return ((IpAddress) localAddress()).getPort();
    }

    /** Whether a member is connected. */
    boolean has(Address member) {
        return address_mappings.values().stream().anyMatch(group -> group.containsKey(member));
    }
}
