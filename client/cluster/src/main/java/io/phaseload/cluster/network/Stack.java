package io.phaseload.cluster.network;

import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jgroups.JChannel;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/**
 * The protocols of JGroups that members speak, over a transport that authenticates and encrypts all that they send.
 *
 * @param transport closed if its channel can't be connected
 */
record Stack(NodeTransport transport) {

    /** Kept, or the level would be collected with it. The log of JGroups isn't part of Phaseload's output. */
    private static final Logger JGROUPS = Logger.getLogger("org.jgroups");

    /**
     * A channel that isn't connected.
     *
     * @param joinMillis the time to wait for the answer of those who are there, if there should be some
     */
    JChannel channel(long joinMillis) throws IOException {
        JGROUPS.setLevel(Level.OFF);
        // One queue for all: one for each member takes 140 kB, also for those that are long gone.
        transport.protocol().setBundlerType("transfer-queue");
        try {
            JChannel channel = new JChannel(protocols(joinMillis));
            // They would answer any process that asks by multicast.
            transport.protocol().disableDiagnostics();
            return channel;
        } catch (Exception e) {
            transport.close();
            throw problem(e);
        }
    }

    /** Connects it. */
    void connect(JChannel channel, String cluster, String name) throws IOException {
        channel.setName(name);
        try {
            channel.connect(cluster);
        } catch (Exception e) {
            channel.close();
            transport.close();
            throw problem(e);
        }
    }

    /** Whether nobody else is there, or they didn't answer. */
    static boolean isAlone(JChannel channel) {
        return channel.getView().getCoord().equals(channel.getAddress());
    }

    private static IOException problem(Exception of) {
        if (of instanceof IOException own) {
            return own;
        }
        Throwable cause = of;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new IOException(String.valueOf(cause.getMessage()), of);
    }

    private List<Protocol> protocols(long joinMillis) {
        GMS membership = new GMS();
        membership.setJoinTimeout(joinMillis);
        membership.setMaxJoinAttempts(2);
        membership.printLocalAddress(false);
        MERGE3 merges = new MERGE3();
        NAKACK2 multicast = new NAKACK2();
        multicast.useMcastXmit(false);
        return List.of(
                transport.protocol(),
                transport.discovery(),
                merges,
                new Heartbeats(merges),
                new VERIFY_SUSPECT2().setTimeout(1_000),
                multicast,
                new UNICAST3(),
                new STABLE(),
                membership,
                new UFC(),
                new MFC(),
                new FRAG4());
    }
}
