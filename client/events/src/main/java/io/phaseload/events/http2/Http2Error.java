package io.phaseload.events.http2;

/** HTTP/2's error codes (RFC 9113 §7), in order of their numbers. */
public enum Http2Error {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED;

    private static final Http2Error[] ALL = values();

    /** The name of a code that a server sent; there are few, so that counts stay small. */
    public static String name(long code) {
        return code < ALL.length ? ALL[(int) code].name() : "unknown code";
    }
}
