package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.protocols.PING;
import org.jgroups.protocols.TUNNEL;

/**
 * Members that connect to a router in the coordinator's process.
 *
 * @param router this process's own; empty for an agent
 */
record RouterTransport(
        TUNNEL protocol, PING discovery, InetSocketAddress address, Optional<Router> router, Commands commands)
        implements NodeTransport {

    private static final long HEARTBEAT_MILLIS = 1_000;
    private static final long SILENCE_MILLIS = 5_000;
    private static final long RECONNECT_MILLIS = 500;

    /** An agent that was cut off has connected again before it has failed so many probes. */
    private static final int PROBES = 3;

    static RouterTransport listen(InetSocketAddress at, Identity identity) throws IOException {
        Router router = Router.start(at, identity);
        InetAddress own = at.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : at.getAddress();
        InetSocketAddress address = new InetSocketAddress(at.getAddress(), router.port());
        try {
            return of(
                    own,
                    address,
                    new InetSocketAddress(own, router.port()),
                    Optional.of(router),
                    identity,
                    identity.commands());
        } catch (IOException e) {
            router.stop();
            throw e;
        }
    }

    static RouterTransport join(InetAddress bind, Greeting coordinator, Identity identity) throws IOException {
        InetSocketAddress at = coordinator.coordinator();
        return of(bind, at, at, Optional.empty(), identity, Commands.checkedBy(coordinator.key()));
    }

    private static RouterTransport of(
            InetAddress bind,
            InetSocketAddress address,
            InetSocketAddress to,
            Optional<Router> router,
            Identity identity,
            Commands commands)
            throws IOException {
        TUNNEL transport = new TUNNEL();
        transport.setBindAddress(bind);
        transport.setPortRange(0);
        transport.setGossipRouterHosts(to.getAddress().getHostAddress() + "[" + to.getPort() + "]");
        transport.setTcpNodelay(true);
        transport.setReconnectInterval(RECONNECT_MILLIS);
        // Or one whose link was cut would wait for TCP, which takes long to find out.
        transport.setValue("heartbeat_interval", HEARTBEAT_MILLIS);
        transport.setValue("heartbeat_timeout", SILENCE_MILLIS);
        transport.setSocketFactory(identity.sockets());
        return new RouterTransport(transport, new PING(), address, router, commands);
    }

    @Override
    public BooleanSupplier end(Address member) {
        if (router.isEmpty()) {
            return () -> NodeTransport.refuses(address);
        }
        int[] failed = {0};
        return () -> {
            failed[0] = router.get().has(member) ? 0 : failed[0] + 1;
            return failed[0] >= PROBES;
        };
    }

    @Override
    public void close() {
        router.ifPresent(Router::stop);
    }
}
