package io.phaseload.events.connection;

import io.phaseload.measure.SendResult;

/** How one user sends, one request at a time. Owned by one event loop. */
public interface Sender {

    /** Told of a request's result; never from within the call that sent it. */
    @FunctionalInterface
    interface Listener {

        /**
         * A request is over.
         *
         * @param readyNanos since when the connection was there for it; before it was sent, if it
         *     had to wait for a stream; 0 if it wasn't sent
         * @param result what it came to
         */
        void completed(long readyNanos, SendResult result);
    }

    /**
     * Sends a request; the answer comes later. If the server had closed a kept connection before
     * the request was sent, it goes over a new one.
     *
     * @param next not before the answer to the last one
     */
    void exchange(LoopRequest next);

    /** The user sends no more. */
    void close();
}
