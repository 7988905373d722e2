package io.phaseload.http;

import java.io.IOException;

/** The peer closed the stream normally, before the response was complete. */
public final class EndOfStreamException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Makes one. */
    public EndOfStreamException() {
        super("closed before the response was complete");
    }
}
