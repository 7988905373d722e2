package io.phaseload.events.shared;

import io.netty.channel.socket.DuplexChannel;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.http2.FrameReader;
import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.plan.engine.Http2Windows;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends the bodies of one connection's requests, as far as the server's windows (RFC 9113 §5.2) and the system allow.
 * Owned by one event loop.
 */
final class Http2Uploads {

    private final DuplexChannel channel;
    private final FrameWriter out;
    // The bodies that wait for a window, or for the system.
    private final Deque<Http2Stream> stalled = new ArrayDeque<>();
    private int firstWindow = Http2Windows.LEAST;
    private long window = Http2Windows.LEAST;

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
        begun.forEach(stream -> stream.widen((long) bytes - firstWindow));
        firstWindow = bytes;
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
            of.widen(more);
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
            int length = (int) Math.min(left, Math.min(window, stream.window()));
            length = Math.min(length, FrameReader.MAX_FRAME);
            if (length <= 0 || !isWritable()) {
                stalled.add(stream);
                return;
            }
            int from = request.headLength() + stream.bodySent();
            left -= length;
            out.data(stream.id(), request.wire(), from, length, left == 0);
            stream.sent(length);
            window -= length;
        }
    }

    /** Whether the system takes more at once, since the server reads what it is sent. */
    boolean isWritable() {
        return channel.isWritable();
    }

    boolean anyWaiting() {
        return !stalled.isEmpty();
    }

    /** Sends more of all bodies that wait. */
    void resume() {
        for (int i = stalled.size(); i > 0; i--) {
            send(stalled.poll());
        }
    }

    /** Stops sending a body. */
    void remove(Http2Stream stream) {
        stalled.remove(stream);
    }

    void clear() {
        stalled.clear();
    }
}
