package io.phaseload.http;

import java.io.IOException;

/** The peer closed TCP without closing TLS, while the end of the body was to be the end of the stream. */
final class NoCloseNotifyException extends IOException {

    private static final long serialVersionUID = 1L;

    NoCloseNotifyException() {
        super("closed without close_notify");
    }
}
