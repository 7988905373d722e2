package io.phaseload.http.request;

import io.phaseload.http.response.Received;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.http.stream.EventReader;
import io.phaseload.input.Secrets;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.NotFollowedException;
import io.phaseload.journey.Session;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.stream.EventStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation as sent over the wire, encoded once per run, or once per signature: see {@link SignedRequests}.
 * Immutable and shared by all users, unless it {@linkplain #isSentOnce() is sent once}.
 *
 * @param operation the operation as it is without a session
 * @param method such as {@code GET}
 * @param wire header and body as sent: not to be changed
 * @param headLength the length of the header in it
 * @param extractors take the values of a journey's step from its response
 * @param session has the values of a journey's step; {@code null} without one
 * @param secretPath true if a value in its path is not to be written
 * @param events reads its response if that is a stream of events; {@code null} otherwise
 * @param details keeps more of it for results; {@code null} if nothing more is to be kept
 */
public record PreparedRequest(
        EncodedOperation operation,
        String method,
        byte[] wire,
        int headLength,
        List<Extractor> extractors,
        @Nullable Session session,
        boolean secretPath,
        @Nullable EventReader events,
        @Nullable RequestDetails details) {

    /** As much of a long address distinguishes one from others. */
    private static final int SHOWN_CHARACTERS = 500;

    private static final int ATOMIC_WRITE = 16 << 10;

    /** How long a server that is asked whether it wants a body may say nothing; as for curl. */
    public static final int CONTINUE_MILLIS = 1_000;

    /** Methods whose requests may be sent again (RFC 9110 §9.2.2). */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    /**
     * Encodes an operation.
     *
     * @param target has the host, the base path and the common headers
     * @param operation has the rest
     */
    public PreparedRequest(Target target, Operation operation) {
        this(EncodedOperation.of(target, operation, new ResponseChecks(operation.checks())));
    }

    /** An operation's request as it is without a session. */
    PreparedRequest(EncodedOperation operation) {
        this(
                operation,
                operation.line().method(),
                operation.wire(),
                operation.headLength(),
                List.of(),
                null,
                false,
                null,
                null);
    }

    /**
     * This request as it is sent once, with the details that the plan asks for.
     *
     * @param trace its place in a trace; {@code null} without one. A header of the plan's own stays.
     * @return itself if nothing more is to be kept of it
     */
    public PreparedRequest once(@Nullable TraceContext trace) {
        TraceContext own = operation.traced() ? null : trace;
        if (own == null && operation.keptHeaders().isEmpty()) {
            return this;
        }
        RequestDetails kept = new RequestDetails(own, operation.keptHeaders());
        return own == null
                ? copy(wire, headLength, events, kept)
                : withLine(TraceContext.HEADER + ": " + own.header(), events, kept);
    }

    /** {@return its place in a trace, also by a header of the plan's own; {@code null} without one} */
    public @Nullable TraceContext trace() {
        if (operation.traced()) {
            return headers().entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(TraceContext.HEADER))
                    .findFirst()
                    .flatMap(header -> TraceContext.parse(header.getValue()))
                    .orElse(null);
        }
        return details == null ? null : details.trace();
    }

    private PreparedRequest withLine(String line, @Nullable EventReader reader, @Nullable RequestDetails kept) {
        byte[] added = (line + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        int before = headLength - 2;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(wire.length + added.length);
        bytes.write(wire, 0, before);
        bytes.writeBytes(added);
        bytes.write(wire, headLength, wire.length - headLength);
        return copy(bytes.toByteArray(), before + added.length, reader, kept);
    }

    private PreparedRequest copy(
            byte[] bytes, int length, @Nullable EventReader reader, @Nullable RequestDetails kept) {
        return new PreparedRequest(operation, method, bytes, length, extractors, session, secretPath, reader, kept);
    }

    /** {@return the reading of its response if that is a stream of events} */
    public Optional<EventStream> stream() {
        return operation.stream();
    }

    /**
     * This request as it is sent once.
     *
     * @param reader reads the events of its response
     * @return a copy with the same bytes
     */
    public PreparedRequest streamed(EventReader reader) {
        return copy(wire, headLength, reader, details);
    }

    /**
     * This request as it is sent again after its connection ended.
     *
     * @param reader knows the last event, from which the server is asked to go on
     * @return a copy with that in its header, if the event had an id
     */
    public PreparedRequest resumed(EventReader reader) {
        if (reader.lastId().isEmpty()) {
            return streamed(reader);
        }
        return withLine("Last-Event-ID: " + reader.lastId(), reader, details);
    }

    /** {@return true if it is sent once: of a stream, with the values of a session, or with details of its own} */
    public boolean isSentOnce() {
        return session != null || events != null || details != null;
    }

    /** {@return the operation's name} */
    public String name() {
        return operation.name();
    }

    /** {@return the values of its session, by name: empty without one} */
    public Map<String, String> values() {
        return session == null ? Map.of() : session.values();
    }

    /** {@return the secret values of its session: empty without one} */
    public List<String> secrets() {
        return session == null ? List.of() : session.secrets();
    }

    /**
     * The publishable part of an answered request: without headers and body, values whose names suggest a secret, and
     * what its session has of the environment.
     *
     * @param user the number of the user that sent it
     * @return with at most {@value #SHOWN_CHARACTERS} characters of its method and path
     */
    public KeptRequest kept(Sample sample, Instant at, long user) {
        // What was in the path may have been replaced since, so the plan's is shown then.
        String sent =
                method + " " + Secrets.redactQuery(secretPath ? operation.line().path() : path());
        String shown = hidden(sent);
        return KeptRequest.of(
                        sample,
                        at,
                        shown.length() <= SHOWN_CHARACTERS ? shown : shown.substring(0, SHOWN_CHARACTERS - 1) + "…",
                        hidden(sample.exchange().outcome().detail()),
                        user,
                        session == null ? Optional.empty() : Optional.of(session.iteration()))
                .with(trace(), details == null ? Map.of() : details.headers(secrets()));
    }

    /** {@return path and query with its session's values, without secrets; empty for others} */
    public String ownPath() {
        return session == null || secretPath ? "" : hidden(Secrets.redactQuery(path()));
    }

    private String hidden(String text) {
        return Secrets.redactValues(text, secrets());
    }

    /** {@return the names of the values that are taken from its response: in order} */
    public List<String> taken() {
        return extractors.stream().map(Extractor::name).toList();
    }

    /** {@return true if the system takes all of it or nothing: up to 16 KiB} */
    public boolean isAtomic() {
        return wire.length <= ATOMIC_WRITE;
    }

    /** {@return the target's scheme: {@code http} or {@code https}} */
    public String scheme() {
        return operation.line().scheme();
    }

    /** {@return path and query as sent} */
    public String path() {
        return session == null ? operation.line().path() : WrittenHead.path(wire, headLength);
    }

    /** {@return all of its headers with the host's, by name, in the order in which they are sent} */
    public Map<String, String> headers() {
        return wire == operation.wire() ? operation.headers() : WrittenHead.headers(wire, headLength);
    }

    /** {@return the header as sent over HTTP/1.1: a copy} */
    public byte[] wireHead() {
        return Arrays.copyOf(wire, headLength);
    }

    /** {@return the body as sent: a copy; empty for none} */
    public byte[] wireBody() {
        return Arrays.copyOfRange(wire, headLength, wire.length);
    }

    /** {@return true if its response has no body, whatever its headers say: for {@code HEAD}} */
    public boolean head() {
        return method.equals("HEAD");
    }

    /**
     * {@return true if it may be sent again if it is unknown whether the server read it: for the idempotent methods of
     * RFC 9110 §9.2.2}
     */
    public boolean idempotent() {
        return IDEMPOTENT.contains(method);
    }

    /** {@return {@code false} if it asks the server to close the connection} */
    public boolean keepsConnection() {
        return operation.keepsConnection();
    }

    /**
     * {@return true if its body waits until the server asks for it with {@code 100 Continue}, or has said nothing for
     * {@link #CONTINUE_MILLIS}: with {@code Expect}}
     */
    public boolean expectsContinue() {
        return operation.expectsContinue() && wire.length > headLength;
    }

    /**
     * {@return true if a check or a metric looks at the response's body, or a session keeps it: {@code false} if the
     * body may be skipped}
     */
    public boolean bodyKept() {
        return operation.judge().ofBody()
                || takes(false)
                || session != null
                        && (session.rules().cache()
                                || operation.judge().ofSize() && session.rules() != SessionRules.NONE);
    }

    /** {@return true if a check, an extraction, a session or a stream reads the response's header, or it is kept} */
    public boolean headKept() {
        return operation.judge().ofHead()
                || takes(true)
                || events != null
                || details != null && details.ofHead()
                || session != null && session.rules() != SessionRules.NONE;
    }

    private boolean takes(boolean ofHead) {
        for (int i = 0; i < extractors.size(); i++) {
            if (extractors.get(i).ofHead() == ofHead) {
                return true;
            }
        }
        return false;
    }

    /**
     * Begins its response: what a check, a metric, a session or a stream needs of it is kept.
     *
     * @param response reads it
     * @param keepAll true if its header and the beginning of its body are kept in any case
     */
    public void begin(ResponseParser response, boolean keepAll) {
        response.begin(head(), keepAll || bodyKept(), keepAll || headKept(), events);
    }

    /**
     * Judges a complete response, and takes values from it if all is well.
     *
     * @param response the complete response
     * @param serviceNanos the time from sending this request to the response's last byte
     * @return success, an HTTP failure, a failed check or a missing value
     */
    public Outcome judge(Received response, long serviceNanos) {
        if (details != null && details.ofHead()) {
            details.received(response.head());
        }
        return operation.judge().judge(this, response, serviceNanos);
    }

    /**
     * Has its session remember what a server says when the connection becomes a WebSocket, such as cookies.
     *
     * @param status of the response: no redirect
     * @param head the lines of its header, each with its end
     */
    public void switched(int status, byte[] head) {
        if (session == null || session.rules() == SessionRules.NONE) {
            return;
        }
        try {
            session.answered(method, path(), status, head);
        } catch (NotFollowedException e) {
            throw new IllegalStateException("status " + status + " has nothing to follow", e);
        }
    }
}
