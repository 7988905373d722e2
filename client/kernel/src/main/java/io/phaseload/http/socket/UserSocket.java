package io.phaseload.http.socket;

import io.phaseload.measure.SendResult;

/** A user's WebSocket, and what it does with it, one call at a time. */
public interface UserSocket extends AutoCloseable {

    /** In the place of a round trip: the call ended none. */
    long NONE = -1;

    /** Receives the result of a call, never from within it. */
    @FunctionalInterface
    interface Listener {

        /**
         * A call is over.
         *
         * @param result an exchange, or that nothing was sent, as no connection is to be opened any more
         * @param roundTripNanos the time from a message's sending to the receipt of the expected one;
         *     {@link UserSocket#NONE} if none was sent since the last one
         */
        void performed(SendResult result, long roundTripNanos);

        /**
         * An {@code expect} has looked at a message: it was passed over, or fits, and its values were taken. Comes
         * before the result, and maybe from within the call.
         *
         * @param message its bytes, a text's as UTF-8; not to be changed
         * @param isText true if it came as a text
         */
        default void received(byte[] message, boolean isText) {
            // For those who show messages.
        }

        /**
         * The server has answered a handshake, whatever it said. Comes before the result.
         *
         * @param head the lines of the response's header, each with its end; not to be changed
         */
        default void answered(byte[] head) {
            // For those who show it.
        }
    }

    /**
     * Does something. Never throws: what goes wrong is the exchange's outcome.
     *
     * @param call not before the result of the last one
     * @param listener receives the result
     */
    void perform(SocketCall call, Listener listener);

    /** Closes it with 1000, if it is open, without waiting for the server. A later call may open it again. */
    @Override
    void close();
}
