package io.phaseload.cluster.network;

import java.io.IOException;

/** Those who are there don't want a member, so that trying again won't help. */
public final class RefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
