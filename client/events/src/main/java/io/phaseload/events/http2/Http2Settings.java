package io.phaseload.events.http2;

/** The HTTP/2 settings that matter here (RFC 9113 §6.5.2). */
public final class Http2Settings {

    public static final int ENABLE_PUSH = 2;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME_SIZE = 5;

    private static final int LARGEST_FRAME = (1 << 24) - 1;

    private Http2Settings() {}

    /** Refuses values that a server must not send. */
    public static void check(int key, long value) throws Http2Exception {
        if (key == ENABLE_PUSH && value != 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "ENABLE_PUSH of " + value);
        }
        if (key == MAX_FRAME_SIZE && (value < FrameReader.MAX_FRAME || value > LARGEST_FRAME)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "MAX_FRAME_SIZE of " + value);
        }
        if (key == INITIAL_WINDOW_SIZE && value > Integer.MAX_VALUE) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "a window of " + value);
        }
    }
}
