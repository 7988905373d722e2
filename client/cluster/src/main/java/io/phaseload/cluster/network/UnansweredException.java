package io.phaseload.cluster.network;

import java.io.IOException;

/** Whoever listens where the coordinator should be doesn't answer as one. */
public final class UnansweredException extends IOException {

    private static final long serialVersionUID = 1L;

    public UnansweredException() {
        super("no coordinator answers");
    }
}
