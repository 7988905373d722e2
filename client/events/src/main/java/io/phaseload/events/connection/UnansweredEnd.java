package io.phaseload.events.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.socket.DuplexChannel;
import io.phaseload.http.IdleConnection;

/**
 * Finds out why a server closed a kept connection while a request without any response was in
 * flight: it may have closed the connection before it got the request, or have read the request and
 * failed. Owned by one connection.
 *
 * <p>If the server's system got the request after the close, it answers with a reset, which the
 * next write reports: then nobody has read the request. If a request goes in pieces, the server may
 * have read one. Over TLS a reset proves nothing: TLS's answer to close_notify provokes one, too,
 * and some servers close their side and then reset, whatever they have read.
 */
final class UnansweredEnd {

    /** Receives the outcome. */
    interface Listener {

        /** The server certainly hasn't read the request. */
        void unread();

        /**
         * The server may have read the request.
         *
         * @param endedNanos when the end was seen, as {@link System#nanoTime()}
         */
        void maybeRead(long endedNanos);
    }

    /** A request up to this size always fits into one packet. */
    private static final int ONE_PACKET = 1_200;

    private final LoopContext loop;
    private final Listener listener;
    private DuplexChannel channel;
    private boolean provable;
    private boolean seen;
    private long seenNanos;
    // Counts requests, so that a late event about one can't affect the next.
    private long turn;

    UnansweredEnd(LoopContext loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
    }

    /** A request is sent. */
    void begin(DuplexChannel over, LoopRequest request) {
        turn++;
        channel = over;
        provable =
                loop.tls() == null
                        && loop.way().provesUnread()
                        && request.wire().capacity() <= ONE_PACKET;
        seen = false;
    }

    /** It is over, with any result; the listener isn't called any more. */
    void forget() {
        turn++;
        channel = null;
    }

    /**
     * The server has closed its side.
     *
     * @param setUpNanos how long connecting took
     */
    void ended(long setUpNanos, long now) {
        if (seen) {
            return;
        }
        seen = true;
        seenNanos = now;
        if (!provable) {
            listener.maybeRead(now);
            return;
        }
        long of = turn;
        loop.schedule(
                () -> {
                    if (turn == of) {
                        write(of);
                    }
                },
                IdleConnection.resetWaitNanos(setUpNanos));
    }

    private void write(long of) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                .addListener(
                        taken -> {
                            if (turn != of) {
                                return;
                            }
                            if (taken.isSuccess()) {
                                listener.maybeRead(seenNanos);
                            } else {
                                listener.unread();
                            }
                        });
    }

    /** The connection was reset, after the end of the stream or without it. */
    void reset(long now) {
        if (seen && provable) {
            listener.unread();
        } else {
            listener.maybeRead(seen ? seenNanos : now);
        }
    }
}
