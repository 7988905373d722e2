package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message.TransientFlag;
import org.jgroups.Receiver;
import org.jgroups.View;

/**
 * One of several equal processes, each of which sends messages to all others. Thread-safe; messages arrive in threads
 * of JGroups, of each node in order.
 */
public final class Node implements AutoCloseable {

    // Not that of agents, who have nothing to say here.
    private static final String CLUSTER = "phaseload-nodes";

    private static final long JOIN_MILLIS = 2_000;
    private static final Consumer<byte[]> NOBODY = message -> {};

    /** Opens the connection to a node and says nothing. */
    private static final byte[] GREETING = {};

    private final JChannel channel;
    private final NodeTransport transport;
    private final IntConsumer changed;
    private volatile Consumer<byte[]> listener = NOBODY;
    private volatile int others;
    // Guarded by this: the other nodes, and those of them that a message has come from.
    private Set<Address> there = Set.of();
    private final Set<Address> connected = new HashSet<>();

    private Node(JChannel channel, NodeTransport transport, IntConsumer changed) {
        this.channel = channel;
        this.transport = transport;
        this.changed = changed;
    }

    /**
     * Joins nodes that are there, or begins a cluster.
     *
     * @param at the place where others find this node; port 0 for one that is free
     * @param there the place where at least one of the others is; empty for the first node
     * @param changed receives the number of nodes, this one included, that messages arrive from, whenever it changes;
     *     returns soon
     * @return a node, to be closed
     * @throws IOException if it can't listen there, or nobody answers, or they have another secret
     */
    public static Node join(
            InetSocketAddress at, List<InetSocketAddress> there, ClusterAccess access, IntConsumer changed)
            throws IOException {
        Identity identity = Identity.of(access, Role.NODE);
        for (InetSocketAddress other : there) {
            try {
                identity.greet(other, any -> true, "the nodes there have ");
            } catch (UnansweredException e) {
                // Others may answer.
            }
        }
        NodeTransport transport = Mesh.of(at.getAddress(), at.getPort(), there, identity, Commands.none());
        Stack stack = new Stack(transport);
        JChannel channel = stack.channel(there.isEmpty() ? 1 : JOIN_MILLIS);
        Node node = new Node(channel, transport, changed);
        channel.setReceiver(node.new NodeReceiver());
        stack.connect(channel, CLUSTER, Link.text(at));
        if (!there.isEmpty() && Stack.isAlone(channel)) {
            node.close();
            throw new IOException("no node answers");
        }
        // Within connect nothing can be sent.
        node.send(GREETING);
        return node;
    }

    /** {@return the place where others can join} */
    public InetSocketAddress address() {
        return transport.address();
    }

    /** {@return the current number of others} */
    public int others() {
        return others;
    }

    /**
     * Sends a message to all others. Those of one thread arrive in order. It waits while another node is too slow,
     * until that has caught up or is found to be gone.
     *
     * @param message not changed from now on
     * @return {@code false} if this node is closed
     */
    public boolean send(byte[] message) {
        try {
            channel.send(new BytesMessage(null, message).setFlag(TransientFlag.DONT_LOOPBACK));
            return true;
        } catch (Exception closed) {
            return false;
        }
    }

    /**
     * Sets the receiver of the others' messages from now on.
     *
     * @param receives called by any thread; returns soon
     */
    public void receive(Consumer<byte[]> receives) {
        listener = receives;
    }

    /** Leaves. Closing it again does nothing. */
    @Override
    public void close() {
        channel.close();
        transport.close();
    }

    private synchronized void members(View view) {
        there = new HashSet<>(view.getMembers());
        there.remove(channel.getAddress());
        connected.retainAll(there);
        others = there.size();
        changed.accept(1 + connected.size());
    }

    private synchronized void greeted(Address by) {
        if (connected.add(by) && there.contains(by)) {
            changed.accept(1 + connected.size());
        }
    }

    /**
     * The first message between two nodes is sent again until their connection is open, which takes longer than a
     * message may be late: so each node greets all others before its rooms are used.
     */
    private final class NodeReceiver implements Receiver {

        @Override
        public void receive(org.jgroups.Message bytes) {
            // Another kind than ours could hold objects.
            if (bytes instanceof BytesMessage && bytes.getLength() == 0) {
                greeted(bytes.getSrc());
            } else if (bytes instanceof BytesMessage && bytes.hasArray()) {
                byte[] message = new byte[bytes.getLength()];
                System.arraycopy(bytes.getArray(), bytes.getOffset(), message, 0, message.length);
                listener.accept(message);
            }
        }

        @Override
        public void viewAccepted(View view) {
            members(view);
            send(GREETING);
        }
    }
}
