package io.phaseload.events.http2;

/** What came breaks HTTP/2, so that its connection can't be used any more. */
public final class Http2Exception extends Exception {

    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    public Http2Exception(Http2Error error, String reason) {
        super(reason, null, false, false);
        this.error = error;
    }

    /** What the server is told. */
    public Http2Error error() {
        return error;
    }
}
