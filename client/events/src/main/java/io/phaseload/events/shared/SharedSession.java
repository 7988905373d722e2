package io.phaseload.events.shared;

/** One channel of a shared connection, from start to end. Owned by one event loop. */
interface SharedSession {

    /** Starts using the channel; the connection learns when it accepts requests, or that it won't. */
    void start();

    /** Whether a request can be sent now. */
    boolean hasRoom();

    /**
     * Whether nothing has been in flight for a while.
     *
     * @param now the end of that time, as {@link System#nanoTime()}
     */
    boolean isIdle(long now);

    /** Whether it is the server that makes requests wait for room, so that the wait counts as part of their time. */
    boolean countsWaiting();

    /**
     * Writes a user's request; {@link #flush()} sends it.
     *
     * @param user a user that has started its request
     * @param onIdle true if nothing had been in flight for a while
     * @param again true if it may be sent again after that, although the server may have read it
     */
    void send(SharedUser user, boolean onIdle, boolean again);

    /** Sends what was written, possibly along with what is written soon. */
    void flush();

    /**
     * Ends requests whose time is up.
     *
     * @return as {@link io.phaseload.events.connection.Expirable#expire}
     */
    long expire(long now, boolean abandon);

    /** Closes the channel, without notifying users with requests in flight. */
    void close();
}
