package io.phaseload.events.shared;

import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.ServerEnd.TcpProgress;

/**
 * The evidence that a server has or hasn't read the requests in flight over a channel that ends. Owned by one event
 * loop.
 */
final class UnreadProof {

    private final DuplexChannel channel;
    // Whether no response has arrived since requests were sent after an idle time, so that they may
    // be sent again.
    private boolean afterIdle;
    // The state before these requests; null without an idle time before them.
    private TcpProgress sentAll;
    // The server may end a connection that it kept at any time.
    private boolean kept;

    UnreadProof(DuplexChannel channel) {
        this.channel = channel;
    }

    /**
     * The first request after those that were answered is about to be sent.
     *
     * @param onIdle true after an idle time
     * @param again true if it may be sent again
     */
    void begin(boolean onIdle, boolean again) {
        afterIdle = again;
        sentAll = onIdle ? TcpProgress.of(channel) : null;
    }

    /**
     * The system refused a write, perhaps since the server reset the connection: what is read after that looks like
     * FIN.
     */
    void refused() {
        sentAll = null;
    }

    /** A part of a response has arrived. */
    void answering() {
        afterIdle = false;
    }

    /** A response is complete. */
    void answered() {
        afterIdle = false;
        kept = true;
    }

    /** Whether the server may have closed the channel before it read them, so that they may be sent again. */
    boolean isPossible() {
        return afterIdle;
    }

    /** Whether the server closed the channel before it got any of them. */
    boolean isCertain() {
        return sentAll != null && TcpProgress.of(channel).isNoneSince(sentAll);
    }

    /** Whether the server's system got them all, or the channel is one that the server hadn't kept. */
    boolean isRefuted() {
        return !kept || TcpProgress.of(channel).isAllAcknowledged();
    }
}
