package io.phaseload.events.shared;

import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.events.http2.Http2Settings;
import io.phaseload.plan.engine.Http2Windows;

/** Controls how much the server may send over one connection (RFC 9113 §5.2). Owned by one event loop. */
final class Http2Downloads {

    private final Http2Windows windows;
    private final FrameWriter out;
    private int consumed;

    Http2Downloads(Http2Windows windows, FrameWriter out) {
        this.windows = windows;
        this.out = out;
    }

    /** Starts the connection, and tells the server. */
    void announce() {
        out.preface(
                new int[] {Http2Settings.ENABLE_PUSH, Http2Settings.INITIAL_WINDOW_SIZE},
                new int[] {0, windows.stream()});
        if (windows.connection() > Http2Windows.LEAST) {
            out.window(0, windows.connection() - Http2Windows.LEAST);
        }
    }

    /**
     * The server has sent something.
     *
     * @param stream the stream that it belongs to, or {@code null} if that is over
     * @param last true if that was the end of it
     */
    void take(Http2Stream stream, int taken, boolean last) throws Http2Exception {
        consumed += taken;
        boolean tooMuch = consumed > windows.connection();
        if (tooMuch || stream != null && stream.consume(taken) > windows.stream()) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "more than the window allows");
        }
        if (consumed >= windows.connection() / 2) {
            out.window(0, consumed);
            consumed = 0;
        }
        if (stream != null && !last && stream.consume(0) >= windows.stream() / 2) {
            out.window(stream.id(), stream.consume(0));
            stream.replenish();
        }
    }
}
