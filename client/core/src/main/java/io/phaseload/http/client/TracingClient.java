package io.phaseload.http.client;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.Sender;
import io.phaseload.http.UserConnection;
import io.phaseload.http.stream.EventListener;
import io.phaseload.http.stream.EventReader;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import io.phaseload.plan.Plan;
import io.phaseload.settings.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Our own client, which shows each request and its response in lines of text, without what is
 * secret by its name or comes from the environment: to find out what a plan does. For one user.
 */
public final class TracingClient implements ClientProvider {

    private static final int MOST_SHOWN = 2_000;

    private static final EventListener UNTIMED =
            new EventListener() {
                @Override
                public void first(long readyNanos, boolean fresh, long nowNanos) {
                    // Nothing is measured.
                }

                @Override
                public void timed(Kind kind, long nanos) {
                    // Nothing is measured.
                }
            };

    private final Consumer<String> out;

    /**
     * Makes one.
     *
     * @param out gets each line, without its end
     */
    public TracingClient(Consumer<String> out) {
        this.out = out;
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
            public Sender newSender(Deadlines deadlines, Sender.Turn turn) {
                return new Tracing(
                        new UserConnection(connector, deadlines, turn),
                        plan.target().responseTimeout().toNanos(),
                        out);
            }

            @Override
            public Optional<PoolUse> pool() {
                return Optional.empty();
            }

            @Override
            public void close() {
                // The connection was closed with its user.
            }
        };
    }

    /** What a user sends with. */
    private record Tracing(UserConnection connection, long silenceNanos, Consumer<String> out)
            implements Sender {

        @Override
        public SendResult exchange(PreparedRequest request) {
            List<String> secrets = request.secrets();
            out.accept("");
            out.accept("# " + request.name());
            out.accept(
                    "> %s %s"
                            .formatted(
                                    request.method(),
                                    Secrets.redactValues(request.path(), secrets)));
            request.headers()
                    .forEach((name, value) -> out.accept("> " + header(name, value, secrets)));
            body("> ", new String(request.wireBody(), StandardCharsets.UTF_8), secrets);
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
            double millis = (exchange.endNanos() - exchange.sentNanos()) / 1e6;
            Outcome outcome = exchange.outcome();
            String time = String.format(Locale.ROOT, "%.1f ms", millis);
            if (exchange.status() > 0) {
                out.accept("< %d after %s".formatted(exchange.status(), time));
                for (String line : connection.lastHead().lines().toList()) {
                    int colon = line.indexOf(':');
                    out.accept(
                            "< "
                                    + header(
                                            line.substring(0, Math.max(0, colon)),
                                            line.substring(colon + 1).strip(),
                                            secrets));
                }
                body("< ", connection.lastBody(), secrets);
            }
            Map<String, String> values = request.values();
            for (String name : request.taken()) {
                if (values.containsKey(name)) {
                    out.accept("= %s: %s".formatted(name, shown(name, values.get(name), secrets)));
                }
            }
            if (!(outcome instanceof Outcome.Success)) {
                String detail = Secrets.redactValues(outcome.detail(), secrets);
                out.accept(
                        "! failed after %s: %s%s"
                                .formatted(
                                        time,
                                        outcome.cause(),
                                        detail.isEmpty() ? "" : ": " + detail));
            }
        }

        private void body(String mark, String body, List<String> secrets) {
            if (body.isEmpty()) {
                return;
            }
            out.accept(mark.strip());
            String text = Secrets.redactValues(body, secrets);
            String beginning = text.substring(0, Math.min(text.length(), MOST_SHOWN));
            beginning
                    .lines()
                    .forEach(line -> out.accept(mark + line.replaceAll("\\p{Cntrl}", "?")));
            if (text.length() > MOST_SHOWN) {
                out.accept(mark + "… %,d characters".formatted(text.length()));
            }
        }

        private static String header(String name, String value, List<String> secrets) {
            return name + ": " + shown(name, value, secrets);
        }

        private static String shown(String name, String value, List<String> secrets) {
            return Secrets.redactValues(Secrets.redactHeader(name, value), secrets)
                    .replaceAll("\\p{Cntrl}", "?");
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
