package io.phaseload.http.socket;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.KeptBody;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.MessageMatch;
import io.phaseload.journey.Session;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.TraceContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The next WebSocket action of a user, with the values of its session. */
public sealed interface SocketCall {

    /** {@return the step's name in results} */
    String name();

    /** {@return the secret values of the session: empty without values} */
    default List<String> secrets() {
        return List.of();
    }

    /** {@return the place of a handshake in a trace; {@code null} without one} */
    default @Nullable TraceContext trace() {
        return null;
    }

    /**
     * Opens it; one that is open is closed before.
     *
     * @param name the step's
     * @param request has the path and the headers of the handshake
     */
    record ConnectCall(String name, PreparedRequest request, List<String> subprotocols) implements SocketCall {

        @Override
        public List<String> secrets() {
            return request.secrets();
        }

        @Override
        public @Nullable TraceContext trace() {
            return request.trace();
        }
    }

    /**
     * Sends a message.
     *
     * @param name the step's
     * @param bytes a text's as UTF-8; not to be changed
     * @param isText true if it goes as a text
     * @param session has its values
     */
    record SendCall(String name, byte[] bytes, boolean isText, Session session) implements SocketCall {

        @Override
        public List<String> secrets() {
            return session.secrets();
        }
    }

    /**
     * Waits for a message, of those since the last one that was expected.
     *
     * @param name the step's
     * @param extractors take their values from it
     * @param session gets them
     */
    record ExpectCall(String name, MessageMatch.Filled match, Duration within, Extractor[] extractors, Session session)
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

        /** {@return the names of the values that it takes: in order} */
        public List<String> valueNames() {
            return Arrays.stream(extractors).map(Extractor::name).toList();
        }

        /** {@return the values of the session, by name} */
        public Map<String, String> values() {
            return session.values();
        }

        @Override
        public List<String> secrets() {
            return session.secrets();
        }

        /**
         * The part of a message that a failure quotes.
         *
         * @param message its bytes
         * @return without what the session has of the environment
         */
        public String quoted(byte[] message) {
            return KeptBody.quoted(message, secrets());
        }
    }

    /**
     * Sends a ping, and waits for its answer.
     *
     * @param name the step's
     */
    record PingCall(String name, Duration within) implements SocketCall {}

    /**
     * Closes it, and waits until the server has.
     *
     * @param name the step's
     */
    record CloseCall(String name, int code) implements SocketCall {}
}
