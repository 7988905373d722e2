package io.phaseload.websocket;

/** One connection of a pair, here or on another client. Owned by one loop. */
interface Connection {

    boolean isOpen();

    /** Whether it isn't open, nor about to be. */
    boolean isClosed();

    /** Opens it, when it is closed; its listener receives the result later. */
    void open();

    /** Pings it, or ends it if a ping wasn't answered in time. */
    void ping();

    /** Ends it without telling the listener. */
    void close();
}
