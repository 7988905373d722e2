package io.phaseload.cluster;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
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
final class Attacker implements Receiver, AutoCloseable {

    private static final long FIND_MILLIS = 500;
    private static final Logger JGROUPS = Logger.getLogger("org.jgroups");

    final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    private final JChannel channel;

    private Attacker(JChannel channel) throws Exception {
        JGROUPS.setLevel(Level.OFF);
        this.channel = channel;
        channel.setReceiver(this);
        channel.connect("phaseload");
    }

    /** Connects to members. */
    static Attacker on(InetAddress address, int port, InetSocketAddress member) throws Exception {
        TCP transport = new TCP();
        transport.setBindAddress(address);
        transport.setBindPort(port);
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(List.of(member));
        discovery.setPortRange(0);
        return new Attacker(new JChannel(transport, discovery, new UNICAST3()));
    }

    /** Connects to a coordinator's router. */
    static Attacker at(InetAddress address, InetSocketAddress router) throws Exception {
        TUNNEL transport = new TUNNEL();
        transport.setBindAddress(address);
        transport.setGossipRouterHosts(router.getAddress().getHostAddress() + "[" + router.getPort() + "]");
        return new Attacker(new JChannel(transport, new PING(), new UNICAST3()));
    }

    /** Adds a member's address, from whatever source. */
    void knows(Address member, InetSocketAddress at) {
        channel.down(new Event(
                Event.ADD_PHYSICAL_ADDRESS, new Tuple<>(member, new IpAddress(at.getAddress(), at.getPort()))));
    }

    /** The members that answer in plain text. */
    List<Address> members() {
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
    void forge(Address from, Address to, Message message) throws Exception {
        channel.send(new BytesMessage(to, MessageForm.write(message))
                .setSrc(from)
                .setFlag(org.jgroups.Message.Flag.NO_RELIABILITY, org.jgroups.Message.Flag.OOB));
    }

    @Override
    public void receive(org.jgroups.Message bytes) {
        received.add(MessageForm.read(bytes.getArray(), bytes.getOffset(), bytes.getLength()));
    }

    @Override
    public void close() {
        channel.close();
    }
}
