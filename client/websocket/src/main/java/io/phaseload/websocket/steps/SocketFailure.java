package io.phaseload.websocket.steps;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;

/**
 * A step with a WebSocket that failed.
 *
 * @param reason one of few texts, such as {@code closed 1008}
 * @param detail the data that came instead, or an empty text
 * @param censored true if it was given up at the time limit
 */
record SocketFailure(String reason, String detail, boolean censored) implements Outcome.OfProtocol {
    @Override
    public Cause cause() {
        return Cause.of(reason);
    }
}
