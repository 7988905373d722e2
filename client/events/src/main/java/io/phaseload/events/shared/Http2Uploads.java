package io.phaseload.events.shared;

import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.http2.FrameReader;
import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.plan.engine.Http2Windows;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Sends the bodies of one connection's requests, as far as the server's windows (RFC 9113 §5.2) and the system allow.
 * Owned by one event loop.
 */
final class Http2Uploads {

    private final DuplexChannel channel;
    private final FrameWriter out;
    // The bodies that wait for the connection's window, or for the system. Those whose own window is used up aren't
    // among them, so that a server that enlarges another window doesn't have all of them looked at.
    private final Set<Http2Stream> ready = new LinkedHashSet<>();
    private int firstWindow = Http2Windows.LEAST;
    private long window = Http2Windows.LEAST;
    private boolean sent;

    Http2Uploads(DuplexChannel channel, FrameWriter out) {
        this.channel = channel;
        this.out = out;
    }

    /** How much of a body the server accepts before it enlarges the window. */
    int firstWindow() {
        return firstWindow;
    }

    /** The server changes that, even for bodies that are being sent. */
    void firstWindow(int bytes, Iterable<Http2Stream> begun) {
        long more = (long) bytes - firstWindow;
        firstWindow = bytes;
        if (more != 0) {
            begun.forEach(stream -> widen(stream, more));
        }
    }

    private void widen(Http2Stream stream, long more) {
        stream.widen(more);
        if (stream.window() > 0 && stream.bodyLeft() > 0 && !stream.bodyAwaited()) {
            ready.add(stream);
        }
    }

    /**
     * The server enlarges a window.
     *
     * @param of one body; {@code null} for the connection
     */
    void widen(Http2Stream of, int more) throws Http2Exception {
        if (of == null) {
            window += more;
        } else {
            widen(of, (long) more);
        }
        if ((of == null ? window : of.window()) > Integer.MAX_VALUE) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "WINDOW_UPDATE of " + more);
        }
    }

    /** Sends as much of a body as possible; {@link #resume()} sends the rest. */
    void send(Http2Stream stream) {
        LoopRequest request = stream.request();
        int left = stream.bodyLeft();
        while (left > 0) {
            if (out.full()) {
                out.flush();
            }
            if (stream.window() <= 0) {
                return;
            }
            if (isBlocked()) {
                ready.add(stream);
                return;
            }
            int length = (int) Math.min(left, Math.min(window, stream.window()));
            length = Math.min(length, FrameReader.MAX_FRAME);
            int from = request.headLength() + stream.bodySent();
            left -= length;
            out.data(stream.id(), request.wire(), from, length, left == 0);
            stream.sent(length);
            window -= length;
            sent = true;
        }
    }

    private boolean isBlocked() {
        return window <= 0 || !isWritable();
    }

    /** Whether any part of a body was sent since the last call. */
    boolean haveSent() {
        boolean since = sent;
        sent = false;
        return since;
    }

    /** Whether the system takes more at once, since the server reads what it is sent. */
    boolean isWritable() {
        return channel.isWritable();
    }

    boolean anyReady() {
        return !ready.isEmpty();
    }

    /** Sends more of the bodies that wait, in their order. */
    void resume() {
        while (!ready.isEmpty() && !isBlocked()) {
            Http2Stream first = ready.iterator().next();
            ready.remove(first);
            send(first);
        }
    }

    /** Stops sending a body. */
    void remove(Http2Stream stream) {
        ready.remove(stream);
    }

    void clear() {
        ready.clear();
    }
}
