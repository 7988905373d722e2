package io.phaseload.http.stream;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;

/**
 * A stream of events whose response began, but which isn't what was asked for.
 *
 * @param reason one of few texts, such as {@code stream ended early}
 * @param detail such as after how many events
 * @param censored true if no event came in time
 */
record StreamFailure(String reason, String detail, boolean censored) implements Outcome.OfProtocol {

    /**
     * A failure whose time is known.
     *
     * @param reason see {@link #reason()}
     * @param detail see {@link #detail()}
     */
    public StreamFailure(String reason, String detail) {
        this(reason, detail, false);
    }

    @Override
    public Cause cause() {
        return Cause.of(reason);
    }

    @Override
    public boolean responded() {
        return true;
    }
}
