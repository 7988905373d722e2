package io.phaseload.events.shared;

/** One channel of a shared connection, from its beginning to its end. Owned by one event loop. */
interface Session {

    /**
     * Begins to use the channel; the connection is told when it takes requests, or that it won't.
     */
    void start();

    /** Whether a request can be sent now. */
    boolean hasRoom();

    /** Whether nothing was in flight for a while. */
    boolean isIdle();

    /**
     * Whether the server makes requests wait for room, so that waiting counts as part of their
     * time.
     */
    boolean countsWaiting();

    /**
     * Writes a user's request; {@link #flush()} sends it.
     *
     * @param user has begun its request
     * @param onIdle whether nothing was in flight for a while
     */
    void send(SharedUser user, boolean onIdle);

    /** Sends what was written, perhaps together with what is written soon. */
    void flush();

    /**
     * Ends the requests whose time is up.
     *
     * @return as {@link io.phaseload.events.connection.Expirable#expire}
     */
    long expire(long now, boolean abandon);

    /** Closes the channel; users whose requests are in flight aren't told. */
    void close();
}
