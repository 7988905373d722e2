package io.phaseload.cluster;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.StreamSupport;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.PING;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TUNNEL;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;
import org.jgroups.util.Tuple;

/** A process that speaks JGroups in plain text and doesn't know the secret. */
public final class Attacker implements Receiver, AutoCloseable {

    private static final long FIND_MILLIS = 500;
    private static final Logger JGROUPS = Logger.getLogger("org.jgroups");

    public final BlockingQueue<org.jgroups.Message> received = new LinkedBlockingQueue<>();
    private final JChannel channel;

    private Attacker(JChannel channel, String cluster) throws Exception {
        JGROUPS.setLevel(Level.OFF);
        this.channel = channel;
        channel.setReceiver(this);
        channel.connect(cluster);
    }

    /** Connects to members. */
    public static Attacker on(InetAddress address, String cluster, InetSocketAddress member) throws Exception {
        TCP transport = new TCP();
        transport.setBindAddress(address);
        try (ServerSocket free = new ServerSocket(0, 1, address)) {
            transport.setBindPort(free.getLocalPort());
        }
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(List.of(member));
        discovery.setPortRange(0);
        return new Attacker(new JChannel(transport, discovery, new UNICAST3()), cluster);
    }

    /** Connects to a coordinator's router. */
    static Attacker at(InetAddress address, InetSocketAddress router) throws Exception {
        TUNNEL transport = new TUNNEL();
        transport.setBindAddress(address);
        transport.setGossipRouterHosts(router.getAddress().getHostAddress() + "[" + router.getPort() + "]");
        return new Attacker(new JChannel(transport, new PING(), new UNICAST3()), "phaseload");
    }

    /** Adds a member's address, from whatever source. */
    public void knows(Address member, InetSocketAddress at) {
        channel.down(new Event(
                Event.ADD_PHYSICAL_ADDRESS, new Tuple<>(member, new IpAddress(at.getAddress(), at.getPort()))));
    }

    /** The members that answer in plain text. */
    public List<Address> members() {
        Discovery discovery = channel.getProtocolStack().findProtocol(Discovery.class);
        Responses found = discovery.findMembers(null, false, false, FIND_MILLIS);
        found.waitFor(FIND_MILLIS);
        return StreamSupport.stream(found.spliterator(), false)
                .map(PingData::getAddress)
                .filter(member -> !member.equals(channel.getAddress()))
                .toList();
    }

    void send(Address to, Message message) throws Exception {
        channel.send(new BytesMessage(to, MessageForm.write(message)));
    }

    /** Sends a message in another member's name. */
    public void forge(Address from, Address to, byte[] message) throws Exception {
        forge(channel, from, to, message);
    }

    /** The same by a member of the cluster. */
    static void forge(JChannel by, Address from, Address to, byte[] message) throws Exception {
        by.send(new BytesMessage(to, message)
                .setSrc(from)
                .setFlag(org.jgroups.Message.Flag.NO_RELIABILITY, org.jgroups.Message.Flag.OOB));
    }

    /** Connects to a port, and says nothing. */
    public static List<Socket> silent(InetSocketAddress at, int count) throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            silent.add(new Socket(at.getAddress(), at.getPort()));
        }
        return silent;
    }

    /** Sends what no member does, in pieces that end anywhere. */
    public static void garbage(InetSocketAddress at) throws IOException {
        Random random = new Random(1);
        List<Socket> sent = silent(at, 100);
        for (Socket socket : sent) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (OutputStream out = socket.getOutputStream()) {
                // Half of them begin like TLS.
                out.write(random.nextBoolean() ? new byte[] {22, 3, 1, 2, 0, 1, 0, 1, -4, 3, 3} : new byte[0]);
                out.write(bytes);
            } catch (IOException closed) {
                // As soon as it is no handshake.
            }
        }
    }

    @Override
    public void receive(org.jgroups.Message bytes) {
        received.add(bytes);
    }

    @Override
    public void close() {
        channel.close();
    }
}
