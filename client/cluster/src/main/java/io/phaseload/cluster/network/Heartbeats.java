package io.phaseload.cluster.network;

import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.MERGE3;

/**
 * Finds members that are gone by heartbeats of all to all. The more members there are, the rarer they are: each member
 * has at most {@link #MOST_A_SECOND} to send and to receive each second.
 */
final class Heartbeats extends FD_ALL3 {

    private static final int MOST_A_SECOND = 20;
    private static final long SECOND = 1_000;

    /** Of so many in a row that don't come, a member is suspected. */
    private static final int MISSED = 5;

    /** Up to so many heartbeats from one such message to the next. */
    private static final int BETWEEN_MERGES = 3;

    /** Of the numbers that JGroups leaves to others; no message carries it to other versions. */
    private static final short ID = 1_716;

    static {
        ClassConfigurator.addProtocol(ID, Heartbeats.class);
    }

    private final MERGE3 merges;

    Heartbeats(MERGE3 merges) {
        this.merges = merges.setMinInterval(SECOND);
        every(SECOND);
    }

    /** {@return milliseconds from one heartbeat to the next, in a cluster of so many} */
    static long interval(int members) {
        return SECOND * ((members + MOST_A_SECOND - 1) / MOST_A_SECOND);
    }

    void every(long millis) {
        setTimeout(MISSED * millis);
        setInterval(millis);
        merges.setMaxInterval(BETWEEN_MERGES * millis);
    }

    @Override
    protected void handleViewChange(View view) {
        long millis = interval(view.size());
        if (millis != getInterval()) {
            stopHeartbeatSender();
            stopTimeoutChecker();
            every(millis);
        }
        super.handleViewChange(view);
    }
}
