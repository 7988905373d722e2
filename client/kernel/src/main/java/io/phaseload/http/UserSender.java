package io.phaseload.http;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.stream.EventListener;
import io.phaseload.measure.SendResult;

/** The sender of one user, in one phase. Owned by one thread at a time. */
public interface UserSender extends AutoCloseable {

    /** A user's turn at opening a connection. */
    @FunctionalInterface
    interface Turn {

        /** At once, always. */
        Turn AT_ONCE = () -> true;

        /**
         * Waits for it.
         *
         * @return {@code false} if no connection is to be opened any more
         */
        boolean await();
    }

    /**
     * Sends a request and reads its response to the end. Never throws: what goes wrong is the exchange's outcome.
     *
     * @return its result; {@link SendResult#NOT_SENT} if no connection was there and its {@link Turn} didn't come
     */
    SendResult exchange(PreparedRequest request);

    /**
     * Sets when the next request is due, if the plan says so.
     *
     * @param nanos the end of the pause that the plan asks for, as {@link System#nanoTime()}; a connection isn't idle
     *     after that
     */
    default void due(long nanos) {
        // Only a client that sends again on idle connections needs it.
    }

    /**
     * Sets the receiver of the times of streams of events, before the first request.
     *
     * @param listener called by the thread that sends
     */
    default void listen(EventListener listener) {
        // One that reads no streams has none to tell.
    }

    /** Gives up what the user alone has: nothing is sent after this. */
    @Override
    void close();
}
