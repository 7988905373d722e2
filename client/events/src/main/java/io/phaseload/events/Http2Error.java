package io.phaseload.events;

/** HTTP/2's error codes (RFC 9113 §7), each at its number. */
enum Http2Error {
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

    /** The name of a code as a server sent it; one of few, so that counts stay bounded. */
    static String name(long code) {
        return code < ALL.length ? ALL[(int) code].name() : "unknown code";
    }

    /** What a server did wrong, after which its connection can't be used. */
    Http2Exception because(String reason) {
        return new Http2Exception(this, reason);
    }
}
