package io.phaseload.http.socket;

import io.phaseload.http.PreparedRequest;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.MessageMatch;
import io.phaseload.journey.Session;
import io.phaseload.measure.Outcome;
import java.time.Duration;
import java.util.List;

/** What a user does with its WebSocket now, with the values of its session. */
public sealed interface SocketCall {

    /**
     * Opens it; one that is open is closed before.
     *
     * @param request has the path and the headers of the handshake
     * @param subprotocols what is asked for
     */
    record Connect(PreparedRequest request, List<String> subprotocols) implements SocketCall {}

    /**
     * Sends a message.
     *
     * @param bytes a text's as UTF-8; not to be changed
     * @param isText whether it goes as a text
     */
    record Send(byte[] bytes, boolean isText) implements SocketCall {}

    /**
     * Waits for a message, of those since the last one that was expected.
     *
     * @param name the step's
     * @param match which
     * @param within how long it may take
     * @param extractors take their values from it
     * @param session gets them
     */
    record Expect(
            String name,
            MessageMatch.Filled match,
            Duration within,
            Extractor[] extractors,
            Session session)
            implements SocketCall {

        private static final byte[] NO_HEAD = {};

        /**
         * The outcome with a message that fits: its values are taken.
         *
         * @param message its bytes
         * @return a success, or a missing value
         */
        public Outcome taken(byte[] message) {
            for (Extractor extractor : extractors) {
                if (!extractor.take(NO_HEAD, message, session)) {
                    return new Outcome.ExtractFailure(extractor.name(), name, quoted(message));
                }
            }
            return Outcome.SUCCESS;
        }

        /**
         * The part of a message that a failure quotes.
         *
         * @param message its bytes
         * @return without what the session has of the environment
         */
        public String quoted(byte[] message) {
            return PreparedRequest.beginning(message, session.secrets());
        }
    }

    /**
     * Sends a ping, and waits for its answer.
     *
     * @param within how long that may take
     */
    record Ping(Duration within) implements SocketCall {}

    /**
     * Closes it, and waits until the server has.
     *
     * @param code what is sent
     */
    record Close(int code) implements SocketCall {}
}
