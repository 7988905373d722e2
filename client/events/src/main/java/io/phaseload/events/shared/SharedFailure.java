package io.phaseload.events.shared;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;

/**
 * A failure that only requests on a shared connection have.
 *
 * @param censored true if the request was cut off at the time limit
 */
record SharedFailure(@Override Cause cause, @Override String detail, @Override boolean censored)
        implements Outcome.OfProtocol {

    /**
     * The server ended the request with one of HTTP/2's error codes.
     *
     * @param frame {@code stream reset} if only this request was ended, or {@code goaway} if all on its connection were
     * @param code the code's name, such as {@code REFUSED_STREAM}; one of few
     */
    static SharedFailure ended(String frame, String code) {
        return new SharedFailure(Cause.of(frame + " " + code), "", false);
    }

    /**
     * The server doesn't speak the requested HTTP/2.
     *
     * @param reason the data that it sent instead; for people, not for counting
     */
    static SharedFailure noHttp2(String reason) {
        return new SharedFailure(Cause.NO_HTTP2, reason, false);
    }

    /**
     * Requests were pipelined, but the server answered at most the first one of a connection. From then on requests go
     * one after another.
     *
     * @param censored see {@link #censored()}
     */
    static SharedFailure noPipelining(boolean censored) {
        return new SharedFailure(
                Cause.NO_PIPELINING,
                censored
                        ? "the server left requests behind the first one unanswered"
                        : "the server closed connections that carried more than one request",
                censored);
    }
}
