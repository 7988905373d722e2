package io.phaseload.cli.cluster;

import java.io.IOException;

/** Agents can't run something; the message is for people. */
public final class AgentsException extends IOException {

    private static final long serialVersionUID = 1L;

    AgentsException(String message, Throwable cause) {
        super(message, cause);
    }
}
