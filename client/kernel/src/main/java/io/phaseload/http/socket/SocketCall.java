package io.phaseload.http.socket;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.KeptBody;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.MessageMatch;
import io.phaseload.journey.Session;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.check.Metric;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** The next WebSocket action of a user, with the values of its session. */
public sealed interface SocketCall {

    /** {@return the step's name in results} */
    String name();

    /** {@return the secret values of the session: empty without values} */
    default List<String> secrets() {
        return List.of();
    }

    /**
     * Records the times of a call that aren't those of every request.
     *
     * @param result the call's
     * @param roundTripNanos see {@link UserSocket.Listener#performed}
     * @param recorder receives each time, in ns
     */
    static void recordTimes(SendResult result, long roundTripNanos, ObjLongConsumer<Timing> recorder) {
        if (roundTripNanos >= 0) {
            recorder.accept(MessageTimings.ROUND_TRIP, roundTripNanos);
        }
        if (result instanceof Exchange exchange && exchange.outcome() instanceof Outcome.Success success) {
            success.metrics().forEach((metric, value) -> {
                if (metric.isSince()) {
                    long nanos = (long) (value * MessageMetrics.micros(metric) * 1e3);
                    recorder.accept(MessageTimings.MESSAGE_DELIVERY, Math.max(0, nanos));
                }
            });
        }
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
     * @param replies are sent while it is open
     */
    record ConnectCall(String name, PreparedRequest request, List<String> subprotocols, List<Reply> replies)
            implements SocketCall {

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
     * The answer to messages of the server that no step expects.
     *
     * @param to recognises them
     * @param bytes a text's as UTF-8; not to be changed
     * @param isText true if it goes as a text
     */
    record Reply(MessageMatch.Filled to, byte[] bytes, boolean isText) {}

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
     * @param metrics are recorded of it
     * @param session gets the values
     */
    record ExpectCall(
            String name,
            MessageMatch.Filled match,
            Duration within,
            Extractor[] extractors,
            MessageMetrics metrics,
            Session session)
            implements SocketCall {

        private static final byte[] NO_HEAD = {};

        /**
         * The outcome with a message that fits: its values are taken.
         *
         * @param message its bytes
         * @param receivedNanos the time of its receipt, by {@link System#nanoTime()}
         * @return a success, or a missing value or number
         */
        public Outcome taken(byte[] message, long receivedNanos) {
            for (Extractor extractor : extractors) {
                if (!extractor.take(NO_HEAD, message, session)) {
                    return new Outcome.ExtractFailure(extractor.name(), name, quoted(message));
                }
            }
            if (metrics.isEmpty()) {
                return Outcome.SUCCESS;
            }
            long receivedMicros = CompiledTemplate.micros() - (System.nanoTime() - receivedNanos) / 1_000;
            Map<Metric, Double> values = new LinkedHashMap<>();
            Metric missing = metrics.read(message, session, receivedMicros, values);
            if (missing != null) {
                return new Outcome.CheckFailure(Cause.of("check metric " + missing), quoted(message));
            }
            return new Outcome.Success(values);
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
