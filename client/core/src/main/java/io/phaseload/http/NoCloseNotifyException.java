package io.phaseload.http;

import java.io.IOException;

/** The peer ended TCP's stream, but not TLS's, which a body was to end with. */
final class NoCloseNotifyException extends IOException {

    private static final long serialVersionUID = 1L;

    NoCloseNotifyException() {
        super("closed without close_notify");
    }
}
