package io.phaseload.events.connection;

import io.phaseload.measure.SendResult;

/** How one user sends, one request at a time. Owned by one event loop. */
public interface LoopSender {

    /** Receives a request's result; never from within the call that sent it. */
    @FunctionalInterface
    interface Listener {

        /**
         * A request is over.
         *
         * @param readyNanos the time when its connection was ready; earlier than when it was sent, if it had to wait
         *     for a stream; 0 if it wasn't sent
         * @param result the result
         */
        void completed(long readyNanos, SendResult result);
    }

    /**
     * Sends a request; the result comes later. If the server had closed a kept connection before the request was sent,
     * it goes over a new one.
     *
     * @param next the request; must not be sent before the result of the last one
     */
    void exchange(LoopRequest next);

    /**
     * Sets when the next request is due, if the plan says so.
     *
     * @param nanos the end of the pause that the plan asks for, as {@link System#nanoTime()}; a connection isn't idle
     *     after that
     */
    void due(long nanos);

    /** The user has finished sending. */
    void close();
}
