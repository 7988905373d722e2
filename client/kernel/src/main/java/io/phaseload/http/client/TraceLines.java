package io.phaseload.http.client;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.input.Printable;
import io.phaseload.input.Secrets;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests and responses, as lines of text without secrets.
 *
 * @param out gets each line, without its end
 */
record TraceLines(Consumer<String> out) {

    /** Before what is sent. */
    static final String SENT = "> ";

    /** Before what comes back. */
    static final String RECEIVED = "< ";

    private static final int MOST_SHOWN = 2_000;

    /** A step begins. */
    void step(String name) {
        out.accept("");
        out.accept("# " + name);
    }

    /** The header of a request. */
    void request(PreparedRequest request, List<String> secrets) {
        String path = Secrets.redactValues(request.path(), secrets);
        out.accept(SENT + request.method() + " " + path);
        request.headers().forEach((name, value) -> header(SENT, name, value, secrets));
    }

    /** A line of a header. */
    void header(String mark, String name, String value, List<String> secrets) {
        out.accept(mark + name + ": " + shown(name, value, secrets));
    }

    /** The lines of a whole header. */
    void head(String mark, String head, List<String> secrets) {
        for (String line : head.lines().toList()) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon));
            header(mark, name, line.substring(colon + 1).strip(), secrets);
        }
    }

    /** The normal end of an exchange, such as a status, with its time. */
    void received(String what, Exchange exchange) {
        out.accept(RECEIVED + what + " after " + time(exchange));
    }

    /** A body, if there is one, behind the line that ends its header. */
    void body(String mark, String body, List<String> secrets) {
        if (!body.isEmpty()) {
            out.accept(mark.strip());
            text(mark, body, secrets);
        }
    }

    /** A message; one that isn't text as plans write it. */
    void message(String mark, byte[] message, boolean isText, List<String> secrets) {
        if (isText && message.length == 0) {
            out.accept(mark.strip());
        } else if (isText) {
            text(mark, new String(message, StandardCharsets.UTF_8), secrets);
        } else {
            List<String> hidden = secrets.stream().map(TraceLines::hex).toList();
            text(mark, "hex:" + HexFormat.of().formatHex(message), hidden);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private void text(String mark, String whole, List<String> secrets) {
        String text = Secrets.redactValues(whole, secrets);
        String beginning = text.substring(0, Math.min(text.length(), MOST_SHOWN));
        beginning.lines().forEach(line -> out.accept(mark + Printable.of(line)));
        if (text.length() > MOST_SHOWN) {
            out.accept(mark + "… %,d characters".formatted(text.length()));
        }
    }

    /** The values that were taken. */
    void taken(List<String> names, Map<String, String> values, List<String> secrets) {
        for (String name : names) {
            if (values.containsKey(name)) {
                out.accept("= " + name + ": " + shown(name, values.get(name), secrets));
            }
        }
    }

    /** Why an exchange failed, if it did. */
    void failure(Exchange exchange, List<String> secrets) {
        Outcome outcome = exchange.outcome();
        if (!(outcome instanceof Outcome.Success)) {
            String detail = Secrets.redactValues(outcome.detail(), secrets);
            String cause = outcome.cause().key() + (detail.isEmpty() ? "" : ": " + detail);
            out.accept("! failed after " + time(exchange) + ": " + cause);
        }
    }

    private static String time(Exchange exchange) {
        double millis = (exchange.endNanos() - exchange.sentNanos()) / 1e6;
        return String.format(Locale.ROOT, "%.1f ms", millis);
    }

    private static String shown(String name, String value, List<String> secrets) {
        return Printable.of(Secrets.redactValues(Secrets.redactHeader(name, value), secrets));
    }
}
