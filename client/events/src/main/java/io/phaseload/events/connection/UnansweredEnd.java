package io.phaseload.events.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.socket.SocketChannel;
import io.phaseload.http.IdleConnection;

/**
 * What it means that the server ended a kept connection while a request was in flight on it of
 * whose response nothing had arrived: it may have closed the connection before it got the request,
 * or have read the request and failed. Owned by one connection.
 *
 * <p>If its system got the request after the close, it answers that with a reset, which the next
 * write meets: then nobody has read the request. Of a request that goes in pieces the server may
 * have read one. Over TLS a reset proves nothing: TLS's answer to close_notify provokes one, too,
 * and some servers end their output and then reset, whatever they have read.
 */
final class UnansweredEnd {

    /** Is told what is known. */
    interface Listener {

        /** The server hasn't read the request, for certain. */
        void unread();

        /**
         * It may have read it.
         *
         * @param endedNanos when the end was seen, as {@link System#nanoTime()}
         */
        void maybeRead(long endedNanos);
    }

    /** A request up to this size goes in one packet anywhere. */
    private static final int ONE_PACKET = 1_200;

    private final LoopContext loop;
    private final Listener listener;
    private SocketChannel channel;
    private boolean provable;
    private boolean seen;
    private long seenNanos;
    // How many requests there were: what comes too late for one must not meet the next.
    private long turn;

    UnansweredEnd(LoopContext loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
    }

    /** A request is sent. */
    void begin(SocketChannel over, LoopRequest request) {
        turn++;
        channel = over;
        provable = loop.tls() == null && request.wire().capacity() <= ONE_PACKET;
        seen = false;
    }

    /** It is over, with any result; the listener is told nothing more. */
    void forget() {
        turn++;
        channel = null;
    }

    /**
     * The server has ended its output.
     *
     * @param setUpNanos how long it took to make the connection
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

    /** The connection was reset, be it behind the end of the stream or not. */
    void reset(long now) {
        if (seen && provable) {
            listener.unread();
        } else {
            listener.maybeRead(seen ? seenNanos : now);
        }
    }
}
