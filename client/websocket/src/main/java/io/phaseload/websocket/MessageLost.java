package io.phaseload.websocket;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;

/**
 * A message that at least one of its receivers didn't get.
 *
 * @param reason one of few texts, such as {@code receiver closed 1006}
 * @param censored true if it was given up at the time limit
 * @param detail the data that came instead, or an empty text
 */
record MessageLost(String reason, boolean censored, String detail) implements Outcome.OfProtocol {

    /**
     * A lost message without a detail.
     *
     * @param reason see {@link #reason()}
     * @param censored see {@link #censored()}
     */
    MessageLost(String reason, boolean censored) {
        this(reason, censored, "");
    }

    @Override
    public Cause cause() {
        return Cause.of("lost: " + reason);
    }
}
