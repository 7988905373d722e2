package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.IpAddress;

/** Members that connect to each other. */
record Mesh(TCP protocol, TCPPING discovery, Commands commands) implements NodeTransport {

    private static final int PORTS_TO_TRY = 50;

    static Mesh listen(InetSocketAddress at, Identity identity) throws IOException {
        return of(at.getAddress(), at.getPort(), List.of(), identity, identity.commands());
    }

    static Mesh join(InetAddress bind, Greeting coordinator, Identity identity) throws IOException {
        return of(bind, 0, List.of(coordinator.coordinator()), identity, Commands.checkedBy(coordinator.key()));
    }

    /**
     * Members at an address.
     *
     * @param port 0 for any that is free
     * @throws IOException if the port isn't free, or the address isn't of this machine
     */
    static Mesh of(InetAddress bind, int port, List<InetSocketAddress> others, Identity identity, Commands commands)
            throws IOException {
        TCP transport = new TCP();
        transport.setBindAddress(bind);
        // JGroups doesn't take 0 with a fixed list of others.
        transport.setBindPort(NodeTransport.freePort(bind, port));
        transport.setPortRange(port == 0 ? PORTS_TO_TRY : 0);
        transport.tcpNodelay(true);
        transport.enableSuspectEvents(true);
        transport.setSocketFactory(identity.sockets());
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(others);
        discovery.setPortRange(0);
        return new Mesh(transport, discovery, commands);
    }

    @Override
    public InetSocketAddress address() {
        return socket((IpAddress) protocol.localPhysicalAddress());
    }

    @Override
    public BooleanSupplier end(Address member) {
        if (protocol.down(new Event(Event.GET_PHYSICAL_ADDRESS, member)) instanceof IpAddress at) {
            return () -> NodeTransport.refuses(socket(at));
        }
        return () -> false;
    }

    private static InetSocketAddress socket(IpAddress of) {
        return new InetSocketAddress(of.getIpAddress(), of.getPort());
    }

    @Override
    public void close() {
        // The channel has closed it all.
    }
}
