package io.phaseload.http.stream;

import io.phaseload.measure.Kind;

/** Gets the times of a stream's events as they come. Called by the user's thread. */
public interface EventListener {

    /**
     * A stream's first event that counts has come, or its first output.
     *
     * @param kind {@link Kind#FIRST_EVENT} or {@link Kind#FIRST_OUTPUT}
     * @param readyNanos when its connection was ready, as {@link System#nanoTime()}
     * @param fresh whether the connection was made for it
     * @param nowNanos when the event came
     */
    void first(Kind kind, long readyNanos, boolean fresh, long nowNanos);

    /**
     * Any other time.
     *
     * @param kind the time's kind
     * @param nanos its length
     */
    void timed(Kind kind, long nanos);
}
