package io.phaseload.http.request;

import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.stream.EventStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The common part of an operation's requests. Immutable, and shared by all users.
 *
 * @param name the operation's
 * @param line the request's first line
 * @param headers all of them, by name, in the order in which they are sent
 * @param wire header and body as sent: not to be changed
 * @param headLength the length of the header in it
 * @param keepsConnection {@code false} if it asks the server to close the connection
 * @param expectsContinue true if a body waits until the server asks for it
 * @param judge of its responses
 * @param stream the reading of its response if that is a stream of events
 * @param traced true if a header of the plan says which trace it belongs to
 * @param keptHeaders the names of the headers to keep of its responses
 */
record EncodedOperation(
        String name,
        RequestLine line,
        Map<String, String> headers,
        byte[] wire,
        int headLength,
        boolean keepsConnection,
        boolean expectsContinue,
        ResponseJudge judge,
        Optional<EventStream> stream,
        boolean traced,
        List<String> keptHeaders) {

    /**
     * The first line of requests.
     *
     * @param method such as {@code GET}
     * @param scheme the target's: {@code http} or {@code https}
     * @param prefix scheme and authority, if a proxy forwards requests; otherwise empty
     * @param path path and query as sent
     */
    record RequestLine(String method, String scheme, String prefix, String path) {}

    /**
     * Encodes an operation.
     *
     * @param checks the operation's, or those of a step
     */
    static EncodedOperation of(Target target, Operation operation, ResponseChecks checks) {
        return of(target, operation, new RequestHeaders(target, operation), checks);
    }

    /**
     * Encodes an operation with more headers than its own.
     *
     * @param headers the operation's, and those of a signer
     * @param checks the operation's, or those of a step
     */
    static EncodedOperation of(Target target, Operation operation, RequestHeaders headers, ResponseChecks checks) {
        String method = operation.method();
        String scheme = target.uri().getScheme().toLowerCase(Locale.ROOT);
        String prefix = target.forwarder()
                .map(proxy -> scheme + "://" + RequestHeaders.authority(target))
                .orElse("");
        String path = target.requestTarget(operation.path());
        byte[] body = operation.body().map(Body::bytes).orElse(new byte[0]);
        Map<String, String> sent = new LinkedHashMap<>();
        headers.all().forEach(header -> sent.put(header.name(), header.value()));
        target.forwarder()
                .flatMap(Proxy::credentials)
                .ifPresent(secret -> sent.put("Proxy-Authorization", ProxyAuthorization.basic(secret)));
        if (operation.body().isPresent() || needsLength(method)) {
            sent.put("Content-Length", Integer.toString(body.length));
        }
        StringBuilder text = new StringBuilder(256);
        text.append(method).append(' ').append(prefix).append(path).append(" HTTP/1.1\r\n");
        sent.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        text.append("\r\n");
        byte[] head = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream wire = new ByteArrayOutputStream(head.length + body.length);
        wire.writeBytes(head);
        wire.writeBytes(body);
        return new EncodedOperation(
                operation.name(),
                new RequestLine(method, scheme, prefix, path),
                Collections.unmodifiableMap(sent),
                wire.toByteArray(),
                head.length,
                !headers.askForClose(),
                headers.expectContinue(),
                new ResponseJudge(operation, checks),
                operation.events(),
                sent.keySet().stream().anyMatch(TraceContext.HEADER::equalsIgnoreCase),
                target.details().headers());
    }

    /** RFC 9110 §8.6: methods that usually have content send a length even if there is none. */
    private static boolean needsLength(String method) {
        return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
    }
}
