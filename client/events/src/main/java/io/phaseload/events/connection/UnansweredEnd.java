package io.phaseload.events.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.ServerEnd.TcpProgress;
import io.phaseload.http.IdleConnection;

/**
 * Finds out why a server closed a kept connection while a request without any response was in flight: it may have
 * closed the connection before it got the request, or have read the request and failed. Owned by one connection.
 *
 * <p>{@link TcpProgress} has the proof where the system reports it: the end came without an acknowledgement of the
 * request. Elsewhere a probe shows it, which can be mistaken: if the server's system got the request after the close,
 * it answers with a reset, which the next write reports; but a server may also read the request, close the stream and
 * reset the connection itself. A reset means nothing after a request of several packets, of which the server may have
 * read the first. Nor does it over TLS, whose answer to close_notify provokes a reset, too, nor without an end.
 */
final class UnansweredEnd {

    /** Receives the outcome. */
    interface Listener {

        /** The server certainly hasn't read the request. */
        void unread();

        /** A reset after the end means that it wasn't read, unless the server itself reset the connection. */
        void probablyUnread();

        /**
         * The server may have read the request.
         *
         * @param endedNanos the time when the end was seen, as {@link System#nanoTime()}
         * @param received true if the server's system certainly got the request
         */
        void maybeRead(long endedNanos, boolean received);
    }

    private final LoopContext loop;
    private final Listener listener;
    private DuplexChannel channel;
    private boolean probed;
    private int length;
    private boolean seen;
    private long seenNanos;
    private final RequestTurns turns = new RequestTurns();

    UnansweredEnd(LoopContext loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
    }

    /**
     * A request is sent.
     *
     * @param headAlone true if its body waits until the server asks for it
     */
    void begin(DuplexChannel over, LoopRequest request, boolean headAlone) {
        turns.next();
        channel = over;
        length = headAlone ? request.headLength() : request.wire().capacity();
        probed = loop.tls() == null
                && loop.way().provesUnread()
                && IdleConnection.isOnePacket(request.wire().capacity());
        seen = false;
    }

    /** The rest of it is sent, too. */
    void sentWhole(LoopRequest request) {
        length = request.wire().capacity();
    }

    /** It is over, with any result; the listener isn't called any more. */
    void forget() {
        turns.next();
        channel = null;
    }

    /** The server has closed its side. */
    void ended(long setUpNanos, long now) {
        if (seen) {
            return;
        }
        seen = true;
        seenNanos = now;
        TcpProgress progress = TcpProgress.of(channel);
        if (progress.pending() >= length) {
            listener.unread();
            return;
        }
        if (progress.known() || !probed) {
            listener.maybeRead(now, progress.known());
            return;
        }
        loop.schedule(turns.only(this::write), IdleConnection.resetWaitNanos(setUpNanos));
    }

    private void write() {
        ChannelFuture probe = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
        Runnable result = turns.only(() -> {
            if (probe.isSuccess()) {
                listener.maybeRead(seenNanos, true);
            } else {
                listener.probablyUnread();
            }
        });
        probe.addListener(any -> result.run());
    }

    /** The connection was reset, after the end of the stream or without it. */
    void reset(long now) {
        if (seen && probed) {
            listener.probablyUnread();
        } else {
            TcpProgress progress = TcpProgress.of(channel);
            listener.maybeRead(seen ? seenNanos : now, progress.known() && progress.pending() < length);
        }
    }
}
