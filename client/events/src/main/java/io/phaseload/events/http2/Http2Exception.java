package io.phaseload.events.http2;

/** A violation of HTTP/2, after which the connection can't be used any more. */
public final class Http2Exception extends Exception {

    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    public Http2Exception(Http2Error error, String reason) {
        super(reason, null, false, false);
        this.error = error;
    }

    /** The error code to send to the server. */
    public Http2Error error() {
        return error;
    }
}
