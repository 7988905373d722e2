package io.phaseload.http.socket;

/** Makes WebSockets for users that wait for each result. Thread-safe. */
public interface SocketClient extends AutoCloseable {

    /**
     * A user's. Listeners are called in a thread of the client's, and must not wait.
     *
     * @return one that isn't open
     */
    UserSocket newSocket();

    /**
     * Cuts off whatever goes on after some time, and whatever begins later; of a client that is closed, nothing.
     *
     * @param nanos from now
     */
    void abandonAfter(long nanos);

    /** Closes all that are open, and ends the client's threads. */
    @Override
    void close();
}
