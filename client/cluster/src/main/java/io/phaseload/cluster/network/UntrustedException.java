package io.phaseload.cluster.network;

import java.io.IOException;

/**
 * The process at a member's address has another secret, other keys or another version, or is an impostor: these can't
 * be told apart.
 */
public final class UntrustedException extends IOException {

    private static final long serialVersionUID = 1L;

    UntrustedException(String message) {
        super(message);
    }
}
