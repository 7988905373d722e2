package io.phaseload.http.client;

import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserConnection;
import io.phaseload.http.UserSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.http.stream.EventListener;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.SendResult;
import io.phaseload.plan.Plan;
import io.phaseload.timing.Timing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Our own client, which shows each request and its response, and each step with a WebSocket, in lines of text, without
 * what is secret by its name or comes from the environment: to find out what a plan does. For one user.
 */
public final class TracingClient implements ClientProvider {

    private static final EventListener UNTIMED = new EventListener() {
        @Override
        public void first(Timing timing, long readyNanos, boolean fresh, long nowNanos) {
            // Nothing is measured.
        }

        @Override
        public void timed(Timing timing, long nanos) {
            // Nothing is measured.
        }
    };

    private final TraceLines lines;

    /**
     * Makes one.
     *
     * @param out gets each line, without its end, in the user's thread or that of its WebSocket, which waits for it: it
     *     should return at once
     */
    public TracingClient(Consumer<String> out) {
        lines = new TraceLines(out);
    }

    @Override
    public String name() {
        return "tracing";
    }

    @Override
    public String toString() {
        return name();
    }

    @Override
    public Client create(Plan plan) {
        Connector connector = new Connector(plan.target());
        return new Client() {
            @Override
            public UserSender newSender(Deadlines deadlines, UserSender.Turn turn) {
                return new Tracing(
                        new UserConnection(connector, deadlines, turn),
                        plan.target().responseTimeout().toNanos(),
                        lines);
            }

            @Override
            public UserSocket socket(UserSocket socket) {
                return new TracingSocket(socket, lines);
            }
        };
    }

    /** The sender of a user. */
    private record Tracing(UserConnection connection, long silenceNanos, TraceLines lines) implements UserSender {

        @Override
        public void due(long nanos) {
            connection.due(nanos);
        }

        @Override
        public SendResult exchange(PreparedRequest request) {
            List<String> secrets = request.secrets();
            lines.step(request.name());
            lines.request(request, secrets);
            String body = new String(request.wireBody(), StandardCharsets.UTF_8);
            lines.body(TraceLines.SENT, body, secrets);
            SendResult result = connection.exchangeKeepingBody(read(request));
            if (result instanceof Exchange exchange) {
                // What was taken may be secret, too.
                response(exchange, request, request.secrets());
            }
            return result;
        }

        /** A stream is over as in a run, but isn't asked for again. */
        private PreparedRequest read(PreparedRequest request) {
            return request.stream()
                    .map(stream -> new EventReader(stream, UNTIMED, silenceNanos))
                    .map(request::streamed)
                    .orElse(request);
        }

        private void response(Exchange exchange, PreparedRequest request, List<String> secrets) {
            if (exchange.status() > 0) {
                lines.received(Integer.toString(exchange.status()), exchange);
                lines.head(TraceLines.RECEIVED, connection.lastHead(), secrets);
                lines.body(TraceLines.RECEIVED, connection.lastBody(), secrets);
            }
            lines.taken(request.taken(), request.values(), secrets);
            lines.failure(exchange, secrets);
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
