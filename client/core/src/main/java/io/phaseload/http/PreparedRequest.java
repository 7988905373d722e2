package io.phaseload.http;

import io.phaseload.http.stream.EventReader;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.NotFollowedException;
import io.phaseload.journey.Response;
import io.phaseload.journey.Session;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.RequestSigner;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.engine.Proxy;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.settings.Secrets;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An operation as sent over the wire, encoded once per run, or once per signature: see {@link
 * SignedRequests}. Immutable after construction and shared by all users.
 */
public final class PreparedRequest {

    /** The part of a body that checks and metrics look at. */
    public static final int KEPT_BYTES = 1 << 20;

    /** The part of a response's body that a failure quotes. */
    public static final int QUOTED_BYTES = 200;

    /** As much of a long address tells one from others. */
    private static final int SHOWN_CHARACTERS = 500;

    private static final int ATOMIC_WRITE = 16 << 10;

    /** How long a server that is asked whether it wants a body may say nothing; as for curl. */
    public static final int CONTINUE_MILLIS = 1_000;

    /** Methods whose requests may be sent again (RFC 9110 §9.2.2). */
    private static final Set<String> IDEMPOTENT =
            Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String name;
    private final String method;
    private final String scheme;
    // Of a request that a proxy is to pass on: what comes before its path.
    private final String prefix;
    private final String path;
    private final Map<String, String> headers;
    private final byte[] wire;
    private final int headLength;
    private final ResponseChecks checks;
    private final List<Metric> metrics;
    private final boolean bodyKept;
    private final boolean keepsConnection;
    private final boolean expectsContinue;
    // Of a journey's step, as it is sent with the values of a session.
    private final Extractor[] extractors;
    private final @Nullable Session session;
    // Whether a value in its path is not to be written.
    private final boolean secretPath;
    private final Optional<EventStream> stream;
    // Of a request whose response is a stream of events, each time that it is sent.
    private final @Nullable EventReader events;

    /**
     * Encodes an operation.
     *
     * @param target has the host, the base path and the common headers
     * @param operation has the rest
     */
    public PreparedRequest(Target target, Operation operation) {
        this(target, operation, new ResponseChecks(operation.checks()));
    }

    /** Encodes an operation with other checks than its own. */
    PreparedRequest(Target target, Operation operation, ResponseChecks checks) {
        this(target, operation, headers(target, operation), checks);
    }

    private PreparedRequest(
            Target target,
            Operation operation,
            Map<String, Header> headers,
            ResponseChecks checks) {
        method = operation.method();
        scheme = target.uri().getScheme().toLowerCase(Locale.ROOT);
        prefix = target.forwarder().map(proxy -> scheme + "://" + authority(target)).orElse("");
        path = target.requestTarget(operation.path());
        byte[] body = body(operation);
        Map<String, String> sent = new LinkedHashMap<>();
        headers.values().forEach(header -> sent.put(header.name(), header.value()));
        target.forwarder()
                .flatMap(Proxy::credentials)
                .ifPresent(secret -> sent.put("Proxy-Authorization", Tunnel.basic(secret)));
        if (operation.body().isPresent() || needsLength(method)) {
            sent.put("Content-Length", Integer.toString(body.length));
        }
        this.headers = Collections.unmodifiableMap(sent);
        StringBuilder head = new StringBuilder(256);
        head.append(method).append(' ').append(prefix).append(path).append(" HTTP/1.1\r\n");
        sent.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(head.length() + body.length);
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        wire = bytes.toByteArray();
        headLength = wire.length - body.length;
        keepsConnection = !asksForClose(headers.get("Connection"));
        expectsContinue = headers.containsKey("Expect");
        this.checks = checks;
        metrics = operation.metrics();
        bodyKept = !metrics.isEmpty() || checks.ofBody();
        extractors = new Extractor[0];
        session = null;
        secretPath = false;
        stream = operation.events();
        events = null;
        name = operation.name();
    }

    private PreparedRequest(
            PreparedRequest same,
            String method,
            byte[] wire,
            int headLength,
            Extractor[] extractors,
            @Nullable Session session,
            boolean secretPath,
            @Nullable EventReader events) {
        name = same.name;
        this.method = method;
        scheme = same.scheme;
        prefix = same.prefix;
        path = same.path;
        headers = same.headers;
        this.wire = wire;
        this.headLength = headLength;
        checks = same.checks;
        metrics = same.metrics;
        bodyKept = same.bodyKept;
        keepsConnection = same.keepsConnection;
        expectsContinue = same.expectsContinue && wire.length > headLength;
        this.extractors = extractors;
        this.session = session;
        this.secretPath = secretPath;
        stream = same.stream;
        this.events = events;
    }

    /** This request with other bytes, from whose response a session takes values. */
    PreparedRequest filled(
            String sentMethod,
            byte[] bytes,
            int head,
            Extractor[] taken,
            Session values,
            boolean secret) {
        return new PreparedRequest(this, sentMethod, bytes, head, taken, values, secret, null);
    }

    /** {@return how its response is read if that is a stream of events} */
    public Optional<EventStream> stream() {
        return stream;
    }

    /**
     * This request as it is sent once.
     *
     * @param reader reads the events of its response
     * @return a copy with the same bytes
     */
    public PreparedRequest streamed(EventReader reader) {
        return new PreparedRequest(
                this, method, wire, headLength, extractors, session, secretPath, reader);
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
        byte[] line =
                ("Last-Event-ID: " + reader.lastId() + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        int before = headLength - 2;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(wire.length + line.length);
        bytes.write(wire, 0, before);
        bytes.writeBytes(line);
        bytes.write(wire, headLength, wire.length - headLength);
        return new PreparedRequest(
                this,
                method,
                bytes.toByteArray(),
                before + line.length,
                extractors,
                session,
                secretPath,
                reader);
    }

    /** {@return what reads the events of its response; {@code null} if that is no stream} */
    public @Nullable EventReader events() {
        return events;
    }

    /**
     * Encodes all operations of a plan, and signs them if it has a signer. Steps of journeys are
     * written each time.
     *
     * @param plan has the target and the scenario
     * @return one per operation
     * @throws RuntimeException if the plan's signer fails
     */
    public static RequestSource<PreparedRequest> all(Plan plan) {
        if (plan.scenario().journeys().isPresent()) {
            return RequestTemplate.all(plan);
        }
        if (plan.signer().isPresent()) {
            return new SignedRequests(
                    plan.target(),
                    plan.scenario().operations(),
                    plan.signer().get(),
                    System::nanoTime);
        }
        PreparedRequest[] requests =
                plan.scenario().operations().stream()
                        .map(operation -> new PreparedRequest(plan.target(), operation))
                        .toArray(PreparedRequest[]::new);
        return (operation, session) -> requests[operation];
    }

    /** Encodes an operation with a signer's headers. */
    static PreparedRequest signed(Target target, Operation operation, RequestSigner signer) {
        Map<String, Header> headers = headers(target, operation);
        URI base = target.uri();
        URI uri =
                URI.create(
                        base.getScheme()
                                + "://"
                                + base.getRawAuthority()
                                + target.requestTarget(operation.path()));
        RequestSigner.Unsigned unsigned =
                new RequestSigner.Unsigned(
                        operation.method(), uri, List.copyOf(headers.values()), body(operation));
        signer.sign(unsigned).forEach(header -> put(headers, header));
        return new PreparedRequest(
                target, operation, headers, new ResponseChecks(operation.checks()));
    }

    /** {@return whether it is sent once: of a stream, or with the values of a session} */
    public boolean isSentOnce() {
        return session != null || events != null;
    }

    /** {@return whether it has the values of a session} */
    public boolean isOfSession() {
        return session != null;
    }

    /** {@return the operation's name} */
    public String name() {
        return name;
    }

    /** {@return what its session remembers, by name: empty without one} */
    public Map<String, String> values() {
        return session == null ? Map.of() : session.values();
    }

    /** {@return what its session remembers and is not to be written: empty without one} */
    public List<String> secrets() {
        return session == null ? List.of() : session.secrets();
    }

    /**
     * What may be written of it once it is answered: without headers and body, values whose names
     * suggest a secret, and what its session has of the environment.
     *
     * @param sample what was measured of it
     * @param at when it was due
     * @param user the number of the user that sent it
     * @return with at most {@value #SHOWN_CHARACTERS} characters of its method and path
     */
    public KeptRequest kept(Sample sample, Instant at, long user) {
        // What was in the path may have been replaced since, so the plan's is shown then.
        String sent = method + " " + Secrets.redactQuery(secretPath ? path : path());
        String shown = hidden(sent);
        return KeptRequest.of(
                sample,
                at,
                shown.length() <= SHOWN_CHARACTERS
                        ? shown
                        : shown.substring(0, SHOWN_CHARACTERS - 1) + "…",
                hidden(sample.exchange().outcome().detail()),
                user,
                session == null ? Optional.empty() : Optional.of(session.iteration()));
    }

    private String hidden(String text) {
        return Secrets.redactValues(text, secrets());
    }

    /** {@return the names of the values that are taken from its response: in order} */
    public List<String> taken() {
        return Arrays.stream(extractors).map(Extractor::name).toList();
    }

    /** {@return header and body as sent: not to be changed} */
    byte[] wire() {
        return wire;
    }

    /** {@return whether the system takes all of it or nothing: {@code true} up to 16 KiB} */
    public boolean isAtomic() {
        return wire.length <= ATOMIC_WRITE;
    }

    /** {@return the method, such as {@code GET}} */
    public String method() {
        return method;
    }

    /** {@return the target's scheme: {@code http} or {@code https}} */
    public String scheme() {
        return scheme;
    }

    /** {@return what is sent before the path: nothing, unless a proxy is to pass it on} */
    String prefix() {
        return prefix;
    }

    /** {@return path and query as sent} */
    public String path() {
        return session == null ? path : WrittenHead.path(wire, headLength);
    }

    /**
     * {@return all of its headers with the host's, by name, in the order in which they are sent}
     */
    public Map<String, String> headers() {
        return session == null ? headers : WrittenHead.headers(wire, headLength);
    }

    /** {@return the header as sent over HTTP/1.1: a copy} */
    public byte[] wireHead() {
        return Arrays.copyOf(wire, headLength);
    }

    /** {@return the body as sent: a copy; empty for none} */
    public byte[] wireBody() {
        return Arrays.copyOfRange(wire, headLength, wire.length);
    }

    /**
     * {@return whether its response has no body, whatever its headers say: {@code true} for {@code
     * HEAD}}
     */
    public boolean head() {
        return method.equals("HEAD");
    }

    /**
     * {@return whether it may be sent again if it is unknown whether the server read it: {@code
     * true} for the idempotent methods of RFC 9110 §9.2.2}
     */
    public boolean idempotent() {
        return IDEMPOTENT.contains(method);
    }

    /** {@return {@code false} if it asks the server to close the connection} */
    public boolean keepsConnection() {
        return keepsConnection;
    }

    /**
     * {@return whether its body waits until the server asks for it with {@code 100 Continue}, or
     * has said nothing for {@link #CONTINUE_MILLIS}: {@code true} with {@code Expect}}
     */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /**
     * Whether the beginning of a body is kept although no check needs it: reports quote what a
     * server says when it fails.
     *
     * @param status of the response
     * @return {@code true} from 400 on
     */
    public static boolean isQuoted(int status) {
        return status >= 400;
    }

    /**
     * {@return whether a check or a metric looks at the response's body, or a session keeps it:
     * {@code false} if the body may be skipped}
     */
    public boolean bodyKept() {
        return bodyKept || takes(false) || session != null && session.rules().cache();
    }

    /**
     * {@return whether a value is taken from the response's header, or a session or a stream hears
     * what it says: {@code false} otherwise}
     */
    public boolean headKept() {
        return takes(true)
                || events != null
                || session != null && session.rules() != SessionRules.NONE;
    }

    private boolean takes(boolean ofHead) {
        for (Extractor extractor : extractors) {
            if (extractor.ofHead() == ofHead) {
                return true;
            }
        }
        return false;
    }

    /**
     * Judges a complete response, and takes values from it if all is well.
     *
     * @param response as it was read
     * @return success, an HTTP failure, a failed check or a missing value
     */
    public Outcome judge(ResponseParser response) {
        return judge(response.status(), response.body(), response.head(), response.retryAfter());
    }

    /**
     * Judges a complete response, and takes values from it if all is well.
     *
     * @param status the response's
     * @param body its first MiB; may be {@code null} if {@link #bodyKept()} is {@code false}
     * @param head the lines of its header, if {@link #headKept()} is {@code true}
     * @param retryAfter the seconds of its {@code Retry-After}; negative without any
     * @return success, an HTTP failure, a failed check or a missing value
     */
    public Outcome judge(
            int status, @Nullable ByteArrayOutputStream body, byte[] head, long retryAfter) {
        Outcome outcome =
                session != null && session.rules() != SessionRules.NONE
                        ? heard(status, body, head)
                        : settled(status, body, head);
        return retryAfter >= 0 && outcome instanceof Outcome.HttpFailure refused
                ? refused.retryAfter(retryAfter)
                : outcome;
    }

    /**
     * Has its session remember what a server says when the connection becomes a WebSocket, such as
     * cookies.
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

    /** What its session makes of it first. */
    private Outcome heard(int status, @Nullable ByteArrayOutputStream body, byte[] head) {
        try {
            String sent = path();
            if (session.answered(method, sent, status, head)) {
                return Outcome.SUCCESS;
            }
            Response whole = new Response(status, head, ContentCoding.decoded(head, body));
            Response seen = session.settled(method, sent, whole);
            return settled(seen.status(), seen.body(), seen.head());
        } catch (NotFollowedException e) {
            return new Outcome.NotFollowed(String.valueOf(e.getMessage()), hidden(e.detail()));
        } catch (MalformedException e) {
            return new Outcome.MalformedResponse(String.valueOf(e.getMessage()));
        }
    }

    private Outcome settled(int status, @Nullable ByteArrayOutputStream body, byte[] head) {
        Outcome outcome = checked(status, body);
        return extractors.length > 0 && outcome instanceof Outcome.Success
                ? taken(outcome, head, body)
                : outcome;
    }

    /** The outcome when a session has taken what it is to take. */
    private Outcome taken(Outcome outcome, byte[] head, @Nullable ByteArrayOutputStream body) {
        byte[] bytes = body == null ? new byte[0] : body.toByteArray();
        for (Extractor extractor : extractors) {
            if (!extractor.take(head, bytes, session)) {
                boolean cutOff = !extractor.ofHead() && bytes.length >= KEPT_BYTES;
                return new Outcome.ExtractFailure(
                        extractor.name(),
                        name,
                        (cutOff ? "only the first MiB is looked at: " : "") + beginning(body));
            }
        }
        return outcome;
    }

    private Outcome checked(int status, @Nullable ByteArrayOutputStream body) {
        Outcome failure = checks.failure(status, body, session);
        if (failure != null) {
            return failure;
        }
        if (events != null && !(events.outcome() instanceof Outcome.Success)) {
            return events.outcome();
        }
        return metrics.isEmpty() ? Outcome.SUCCESS : measured(body);
    }

    private String beginning(@Nullable ByteArrayOutputStream body) {
        return beginning(body, session);
    }

    /** What a failure quotes of a body, without what its session has of the environment. */
    static String beginning(@Nullable ByteArrayOutputStream body, @Nullable Session session) {
        List<String> secrets = session == null ? List.of() : session.secrets();
        return body == null ? "" : beginning(body.toByteArray(), secrets);
    }

    /**
     * The part of a text that a failure quotes.
     *
     * @param text as UTF-8
     * @param secrets values that it is without
     * @return on one line, without control characters, which a terminal would obey
     */
    public static String beginning(byte[] text, List<String> secrets) {
        String shown =
                new String(text, 0, Math.min(text.length, QUOTED_BYTES), StandardCharsets.UTF_8);
        return (text.length < QUOTED_BYTES
                        ? Secrets.redactValues(shown, secrets)
                        : Secrets.redactValuesOfCut(shown, secrets))
                .replaceAll("[\\s\\p{Cc}]+", " ")
                .strip();
    }

    private Outcome measured(ByteArrayOutputStream body) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        JsonNode json = json(body.toByteArray());
        for (Metric metric : metrics) {
            JsonNode value = json.at(metric.pointer());
            if (!value.isNumber()) {
                return new Outcome.CheckFailure("check metric " + metric, beginning(body));
            }
            values.put(metric, value.doubleValue());
        }
        return new Outcome.Success(values);
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    private static boolean asksForClose(Header connection) {
        return connection != null
                && Arrays.stream(connection.value().split(","))
                        .anyMatch(token -> token.strip().equalsIgnoreCase("close"));
    }

    /** The client's defaults, then the target's headers, then the operation's: the last wins. */
    private static Map<String, Header> headers(Target target, Operation operation) {
        Map<String, Header> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        put(headers, new Header("Host", authority(target)));
        put(headers, new Header("User-Agent", "phaseload"));
        boolean streamed = operation.events().isPresent();
        put(headers, new Header("Accept", streamed ? "text/event-stream" : "*/*"));
        operation
                .body()
                .ifPresent(body -> put(headers, new Header("Content-Type", contentType(body))));
        target.headers().forEach(header -> put(headers, header));
        operation.headers().forEach(header -> put(headers, header));
        if (body(operation).length == 0) {
            // There is nothing to wait with (RFC 9110 §10.1.1).
            headers.remove("Expect");
        }
        return headers;
    }

    /** For a body without a given type. */
    private static String contentType(Body body) {
        return isJson(body.bytes()) ? "application/json" : "text/plain; charset=utf-8";
    }

    /** Whether it is an object or an array: a number is JSON, too, but may be meant as text. */
    private static boolean isJson(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() == null || !parser.currentToken().isStructStart()) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException notJson) {
            return false;
        }
    }

    private static byte[] body(Operation operation) {
        return operation.body().map(Body::bytes).orElse(new byte[0]);
    }

    private static void put(Map<String, Header> headers, Header header) {
        headers.put(header.name(), header);
    }

    private static String authority(Target target) {
        String host = target.uri().getHost().toLowerCase(Locale.ROOT);
        int port = target.uri().getPort();
        return port < 0 ? host : host + ":" + port;
    }

    /** RFC 9110 §8.6: methods that usually have content send a length even if there is none. */
    private static boolean needsLength(String method) {
        return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
    }
}
