package io.phaseload.http.stream;

import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;

/** Gets the times of a stream's events as they come. Called by the user's thread. */
public interface EventListener {

    /**
     * A stream's first event that counts has come, or its first output.
     *
     * @param timing {@link StreamTimings#FIRST_EVENT} or {@link StreamTimings#FIRST_OUTPUT}
     * @param readyNanos the time when its connection was ready, as {@link System#nanoTime()}
     * @param fresh true if the connection was made for it
     */
    void first(Timing timing, long readyNanos, boolean fresh, long nowNanos);

    /**
     * Any other time.
     *
     * @param timing the timing
     * @param nanos its length
     */
    void timed(Timing timing, long nanos);
}
