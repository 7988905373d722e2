package io.phaseload.events.connection;

/** What a loop's requests are in progress on: it has deadlines, and is closed at the end. */
public interface Expirable {

    /**
     * Ends what is in progress if its time is up.
     *
     * @param now as {@link System#nanoTime()}
     * @param abandon whether it is to end in any case
     * @return nanoseconds until its time is up, or {@link Long#MAX_VALUE} if nothing is in progress
     */
    long expire(long now, boolean abandon);

    /** Closes the connection, if it is open, and leaves the loop. */
    void close();
}
