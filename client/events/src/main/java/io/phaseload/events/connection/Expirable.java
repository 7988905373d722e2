package io.phaseload.events.connection;

/** Something with requests in flight: it has deadlines, and is closed at the end. */
public interface Expirable {

    /**
     * Ends what is in flight if its time is up.
     *
     * @param now as {@link System#nanoTime()}
     * @param abandon true to end it in any case
     * @return nanoseconds until its time is up, or {@link Long#MAX_VALUE} if nothing is in flight
     */
    long expire(long now, boolean abandon);

    /** Closes the connection, if it is open, and deregisters from the loop. */
    void close();
}
