package io.phaseload.cluster.network;

import java.io.IOException;

/** The coordinator doesn't want an agent, so that trying again won't help. */
public final class RefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
