package io.phaseload.cluster.network;

import io.phaseload.cluster.wire.Message;
import io.phaseload.host.Daemons;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.util.NameCache;
import org.jgroups.util.UUID;

/**
 * A member of the cluster: sends messages to others, and receives theirs. Heartbeats find members that are gone within
 * six seconds, the end of their connection sooner. Thread-safe; messages arrive in threads of JGroups, of each member
 * in order.
 */
public final class Link implements AutoCloseable {

    private static final String CLUSTER = "phaseload";

    /** No agent can have that name. */
    private static final String COORDINATOR = "the coordinator";

    /**
     * Agents knock only where somebody listens. When dozens start together, a coordinator is slow to let them in, and
     * who gives up and comes back under a new address makes it slower.
     */
    private static final long JOIN_MILLIS = 10_000;

    private static final long BETWEEN_PROBES_MILLIS = 1_000;

    /** Receives messages and changes of members; returns soon. */
    public interface MessageHandler {

        /** A message came, at a time of {@link System#nanoTime()}. */
        void received(Address from, Message message, long at);

        /**
         * A member can't be reached.
         *
         * @param ended true if it is known that its process is there no more. If not, this may be said later, or the
         *     member may come back, which its next message shows
         */
        void gone(Address member, boolean ended);
    }

    private final JChannel channel;
    private final NodeTransport transport;
    private final MessageHandler inbox;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Link(JChannel channel, NodeTransport transport, MessageHandler inbox) {
        this.channel = channel;
        this.transport = transport;
        this.inbox = inbox;
    }

    /**
     * Begins a cluster, which others join.
     *
     * @param transport closed with the link, or if there is none
     */
    public static Link open(NodeTransport transport, MessageHandler inbox) throws IOException {
        // Nobody else is there: it needn't wait for an answer.
        return connect(COORDINATOR, transport, 1, inbox);
    }

    /**
     * Joins a coordinator's cluster.
     *
     * @param transport closed with the link, or if there is none
     * @throws UnansweredException if whoever is there isn't a coordinator for this member
     * @throws IOException if it can't be joined, with a message that says why
     */
    public static Link join(String name, NodeTransport transport, MessageHandler inbox) throws IOException {
        Link link = connect(name, transport, JOIN_MILLIS, inbox);
        if (Stack.isAlone(link.channel)) {
            // A cluster of its own: nobody answered.
            link.close();
            throw new UnansweredException();
        }
        return link;
    }

    private static Link connect(String name, NodeTransport transport, long joinMillis, MessageHandler inbox)
            throws IOException {
        Stack stack = new Stack(transport);
        JChannel channel = stack.channel(joinMillis);
        Link link = new Link(channel, transport, inbox);
        channel.setReceiver(link.new LinkReceiver());
        stack.connect(channel, CLUSTER, name);
        return link;
    }

    /** Where others can join. */
    public InetSocketAddress address() {
        return transport.address();
    }

    /** This member. */
    public Address self() {
        return channel.getAddress();
    }

    /** The member that opened the cluster; not the view's first one, once links were cut. */
    public Address coordinator() {
        View view = channel.getView();
        return view.getMembers().stream()
                .filter(member -> COORDINATOR.equals(NameCache.get(member)))
                .findFirst()
                .orElse(view.getCoord());
    }

    /** The id of a member, the same on all members. */
    public static String id(Address member) {
        return ((UUID) member).toStringLong();
    }

    /** The member with an id; unlike a name, that is known as soon as the member is in the view. */
    public Optional<Address> find(String id) {
        return channel.getView().getMembers().stream()
                .filter(member -> id.equals(id(member)))
                .findFirst();
    }

    /** Asks a member for its clock. */
    public void ping(Address to) {
        send(to, new Message.ClockPing(System.nanoTime()));
    }

    /**
     * Sends a message; to a member that can't be reached, it goes when that is back. A coordinator's commands are of
     * one thread.
     */
    public void send(Address to, Message message) {
        BytesMessage bytes = new BytesMessage(to, transport.commands().write(to, message));
        if (message instanceof Message.ClockPing || message instanceof Message.ClockPong) {
            // At once, and before what waits.
            bytes.setFlag(
                    org.jgroups.Message.Flag.OOB, org.jgroups.Message.Flag.DONT_BUNDLE, org.jgroups.Message.Flag.NO_FC);
        }
        try {
            channel.send(bytes);
        } catch (Exception e) {
            // This one was closed.
            inbox.gone(to, true);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        channel.close();
        transport.close();
    }

    /** Reports a member that left the view, until it is back, or has ended. */
    private void watch(Address member, BooleanSupplier end) {
        boolean told = false;
        try {
            do {
                boolean ended = end.getAsBoolean();
                if (ended || !told) {
                    inbox.gone(member, ended);
                    told = true;
                }
                if (ended) {
                    return;
                }
            } while (!closed.await(BETWEEN_PROBES_MILLIS, TimeUnit.MILLISECONDS)
                    && !channel.getView().containsMember(member));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private final class LinkReceiver implements Receiver {

        private Set<Address> members = Set.of();

        @Override
        public void receive(org.jgroups.Message bytes) {
            long now = System.nanoTime();
            // Another kind than ours could hold objects.
            if (bytes instanceof BytesMessage && bytes.hasArray()) {
                try {
                    transport
                            .commands()
                            .read(self(), bytes.getArray(), bytes.getOffset(), bytes.getLength())
                            .ifPresent(message -> inbox.received(bytes.getSrc(), message, now));
                } catch (IllegalArgumentException e) {
                    // Not of a member of ours.
                }
            }
        }

        @Override
        public void viewAccepted(View view) {
            List<Address> gone;
            synchronized (this) {
                gone = new ArrayList<>(members);
                members = Set.copyOf(view.getMembers());
                gone.removeAll(members);
            }
            for (Address member : gone) {
                BooleanSupplier end = transport.end(member);
                Daemons.named("cluster-watch")
                        .newThread(() -> watch(member, end))
                        .start();
            }
        }
    }
}
