package io.phaseload.http.request;

import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The headers of an operation: the client's defaults, then the target's, then its own; the last of a name wins. Not
 * thread-safe.
 */
final class RequestHeaders {

    private final Map<String, Header> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    RequestHeaders(Target target, Operation operation) {
        put(new Header("Host", authority(target)));
        put(new Header("User-Agent", "phaseload"));
        boolean streamed = operation.events().isPresent();
        put(new Header("Accept", streamed ? "text/event-stream" : "*/*"));
        operation.body().ifPresent(body -> put(new Header("Content-Type", contentType(body))));
        target.headers().forEach(this::put);
        operation.headers().forEach(this::put);
        if (operation.body().map(Body::bytes).filter(bytes -> bytes.length > 0).isEmpty()) {
            // There is nothing to wait with (RFC 9110 §10.1.1).
            byName.remove("Expect");
        }
    }

    /** Adds one, in place of what has its name. */
    void put(Header header) {
        byName.put(header.name(), header);
    }

    /** {@return all of them, by name} */
    List<Header> all() {
        return List.copyOf(byName.values());
    }

    /** {@return true if they ask the server to close the connection} */
    boolean askForClose() {
        Header connection = byName.get("Connection");
        return connection != null
                && Arrays.stream(connection.value().split(","))
                        .anyMatch(token -> token.strip().equalsIgnoreCase("close"));
    }

    /** {@return true if the body waits until the server asks for it} */
    boolean expectContinue() {
        return byName.containsKey("Expect");
    }

    /** {@return the target's host, with its port if it has one} */
    static String authority(Target target) {
        String host = target.uri().getHost().toLowerCase(Locale.ROOT);
        int port = target.uri().getPort();
        return port < 0 ? host : host + ":" + port;
    }

    /** For a body without a given type. */
    private static String contentType(Body body) {
        return isJson(body.bytes()) ? "application/json" : "text/plain; charset=utf-8";
    }

    /** Whether it is an object or an array: a number is JSON, too, but may be meant as text. */
    private static boolean isJson(byte[] body) {
        // Without a mapper, whose first use takes longer than all else before the first request.
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() == null || !parser.currentToken().isStructStart()) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException notJson) {
            return false;
        }
    }
}
