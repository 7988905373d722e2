package io.phaseload.events;

/** The settings of HTTP/2 that matter here (RFC 9113 §6.5.2). */
final class Http2Settings {

    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME_SIZE = 5;

    private static final int LARGEST_FRAME = (1 << 24) - 1;

    private Http2Settings() {}

    /** Refuses what a server must not say. */
    static void check(int key, long value) throws Http2Exception {
        if (key == ENABLE_PUSH && value != 0) {
            throw Http2Error.PROTOCOL_ERROR.because("ENABLE_PUSH of " + value);
        }
        if (key == MAX_FRAME_SIZE && (value < FrameReader.MAX_FRAME || value > LARGEST_FRAME)) {
            throw Http2Error.PROTOCOL_ERROR.because("MAX_FRAME_SIZE of " + value);
        }
        if (key == INITIAL_WINDOW_SIZE && value > Integer.MAX_VALUE) {
            throw Http2Error.FLOW_CONTROL_ERROR.because("a window of " + value);
        }
    }
}
