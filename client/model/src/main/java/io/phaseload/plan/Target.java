package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.AsciiUri;
import io.phaseload.input.Secrets;
import io.phaseload.options.ValueException;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.connection.SocketBuffers;
import io.phaseload.plan.connection.TlsFiles;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where requests go.
 *
 * @param uri absolute, {@code http} or {@code https}, or {@code ws}, {@code wss}, {@code mqtt} or {@code mqtts} for
 *     messages, with a host, without user information or a fragment; non-ASCII characters are percent-encoded as UTF-8,
 *     and an international host name is converted to ASCII (IDNA)
 * @param headers sent with every request
 * @param connectTimeout for resolving, connecting and the TLS handshake together; 5 s by default
 * @param responseTimeout from the first byte sent to the last byte received; 5 s by default
 * @param insecure {@code true} accepts any certificate and host name
 * @param tlsFiles whom to trust and who the client is; only for {@code https}
 * @param route the way that connections take
 * @param buffers the requested sizes of sockets' buffers
 * @param resendIdle {@code true} sends an idempotent request again if its connection had been idle and ended without a
 *     response, although the server may have read it
 * @param details the kept details of its requests
 */
public record Target(
        URI uri,
        List<Header> headers,
        Duration connectTimeout,
        Duration responseTimeout,
        boolean insecure,
        TlsFiles tlsFiles,
        Route route,
        SocketBuffers buffers,
        boolean resendIdle,
        KeptDetails details) {

    /** Stands for the number of a pair in an address for messages. */
    public static final String PAIR = "{pair}";

    /** The same in {@link #uri()}, where braces aren't allowed. */
    public static final String ENCODED_PAIR = "%7Bpair%7D";

    /** Of a connection, and of a response. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private static final Set<String> SECURE = Set.of("https", "wss", "mqtts");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Target {
        uri = AsciiUri.ofServer(uri);
        headers = List.copyOf(headers);
        Args.positive("connect timeout", connectTimeout);
        Args.positive("response timeout", responseTimeout);
        if (!tlsFiles.all().isEmpty() && !SECURE.contains(lowerCase(uri.getScheme()))) {
            throw new ValueException("url '%s'".formatted(uri), "https://, since certificates and keys need it");
        }
        if (tlsFiles.authorities().isPresent() && insecure) {
            throw new IllegalArgumentException("insecure cannot be combined with authorities, which it would ignore");
        }
    }

    /**
     * A target that connections go to directly, with the system's buffers.
     *
     * @param uri see {@link #uri()}
     * @param headers see {@link #headers()}
     * @param connectTimeout see {@link #connectTimeout()}
     * @param responseTimeout see {@link #responseTimeout()}
     * @param insecure see {@link #insecure()}
     * @param tlsFiles see {@link #tlsFiles()}
     * @throws IllegalArgumentException as the other constructor does
     */
    public Target(
            URI uri,
            List<Header> headers,
            Duration connectTimeout,
            Duration responseTimeout,
            boolean insecure,
            TlsFiles tlsFiles) {
        this(
                uri,
                headers,
                connectTimeout,
                responseTimeout,
                insecure,
                tlsFiles,
                Route.DIRECT,
                SocketBuffers.OF_SYSTEM,
                false,
                KeptDetails.NONE);
    }

    /**
     * A target without files for TLS.
     *
     * @param uri see {@link #uri()}
     * @param headers see {@link #headers()}
     * @param connectTimeout see {@link #connectTimeout()}
     * @param responseTimeout see {@link #responseTimeout()}
     * @param insecure see {@link #insecure()}
     * @throws IllegalArgumentException as the other constructor does
     */
    public Target(URI uri, List<Header> headers, Duration connectTimeout, Duration responseTimeout, boolean insecure) {
        this(uri, headers, connectTimeout, responseTimeout, insecure, TlsFiles.NONE);
    }

    /**
     * A target with default timeouts and verified TLS.
     *
     * @param uri see {@link #uri()}
     * @return the target
     * @throws IllegalArgumentException as the constructor does
     */
    public static Target of(URI uri) {
        return new Target(uri, List.of(), DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, false);
    }

    /**
     * A target as people write it.
     *
     * @param url see {@link #uri()}
     * @return the target, as of {@link #of}
     * @throws IllegalArgumentException if it isn't a URL, or as the constructor does
     */
    public static Target parse(String url) {
        return of(URI.create(isWebSocket(url) ? url.replace(PAIR, ENCODED_PAIR) : url));
    }

    /**
     * Its address as people write it, for files and reports.
     *
     * @return {@link #uri()} with {@value #PAIR} in messages, and without secrets in its query
     */
    public String address() {
        String address = uri.toString();
        return Secrets.redactQuery(isWebSocket(address) ? address.replace(ENCODED_PAIR, PAIR) : address);
    }

    /** {@return true if all pairs of messages have the same address} */
    public boolean isShared() {
        return !uri.toString().contains(ENCODED_PAIR);
    }

    /**
     * Whether an address is one for messages between pairs.
     *
     * @param url as people write it
     * @return {@code true} for {@code ws}, {@code wss}, {@code mqtt} and {@code mqtts}
     */
    public static boolean isWebSocket(String url) {
        String lower = lowerCase(url);
        return lower.startsWith("ws://") || lower.startsWith("wss://") || isMqtt(lower);
    }

    /**
     * Whether an address is one for MQTT over TCP, whose path is a topic.
     *
     * @param url as people write it
     * @return {@code true} for {@code mqtt} and {@code mqtts}
     */
    public static boolean isMqtt(String url) {
        String lower = lowerCase(url);
        return lower.startsWith("mqtt://") || lower.startsWith("mqtts://");
    }

    private static String lowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /**
     * This target with other headers.
     *
     * @param others see {@link #headers()}
     * @return a copy
     */
    public Target withHeaders(List<Header> others) {
        return new Target(
                uri, others, connectTimeout, responseTimeout, insecure, tlsFiles, route, buffers, resendIdle, details);
    }

    /**
     * This target by another way.
     *
     * @param other see {@link #route()}
     * @return a copy
     */
    public Target by(Route other) {
        return new Target(
                uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles, other, buffers, resendIdle, details);
    }

    /**
     * This target by the ways to the nodes of its cluster.
     *
     * @return copies, one a node; this target alone, if it is none of several nodes
     */
    public List<Target> nodes() {
        return route instanceof Route.Nodes several
                ? several.nodes().stream().map(this::by).toList()
                : List.of(this);
    }

    /**
     * This target with other buffers.
     *
     * @param others see {@link #buffers()}
     * @return a copy
     */
    public Target withBuffers(SocketBuffers others) {
        return new Target(
                uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles, route, others, resendIdle, details);
    }

    /**
     * This target with another choice for requests on idle connections.
     *
     * @param resent see {@link #resendIdle()}
     * @return a copy
     */
    public Target withResendIdle(boolean resent) {
        return new Target(
                uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles, route, buffers, resent, details);
    }

    /**
     * This target with other details of its requests.
     *
     * @param others see {@link #details()}
     * @return a copy
     */
    public Target withDetails(KeptDetails others) {
        return new Target(
                uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles, route, buffers, resendIdle, others);
    }

    /**
     * The proxy that requests are sent to as they are, each with the whole of its address.
     *
     * @return empty if there is none, or it only makes tunnels
     */
    public Optional<Proxy> forwarder() {
        return !tls() && route instanceof Route.By by && by.proxy().kind() == Proxy.Kind.HTTP
                ? Optional.of(by.proxy())
                : Optional.empty();
    }

    /**
     * Whether requests go over TLS.
     *
     * @return {@code true} for {@code https}, {@code wss} and {@code mqtts}
     */
    public boolean tls() {
        return SECURE.contains(lowerCase(uri.getScheme()));
    }

    /**
     * The host to connect to.
     *
     * @return a name, or an IP address (IPv6 without brackets)
     */
    public String host() {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /**
     * The port to connect to.
     *
     * @return the URI's port, or its scheme's default
     */
    public int port() {
        if (uri.getPort() > 0) {
            return uri.getPort();
        }
        if (isMqtt(uri.toString())) {
            return tls() ? 8883 : 1883;
        }
        return tls() ? 443 : 80;
    }

    /**
     * The request target (RFC 9112 §3.2) of an operation's path.
     *
     * @param path an operation's path; {@code /} means the target's URI as it is, any other is appended to the URI's
     *     path
     * @return path and query, percent-encoded, beginning with a slash
     */
    public String requestTarget(String path) {
        String base = uri.getRawPath();
        if (!path.equals("/")) {
            return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path;
        }
        String query = uri.getRawQuery();
        return (base.isEmpty() ? "/" : base) + (query == null ? "" : "?" + query);
    }

    /**
     * The whole address of a page.
     *
     * @param page absolute, or its path below this target
     * @return an absolute URI
     */
    public URI resolve(URI page) {
        return page.isAbsolute()
                ? page
                : URI.create(uri.getScheme() + "://" + uri.getRawAuthority() + requestTarget(page.toString()));
    }

    /**
     * Whether an operation is sent without the URI's query.
     *
     * @param path an operation's path
     * @return {@code true} if the URI has a query and the path isn't {@code /}
     */
    public boolean dropsQuery(String path) {
        return uri.getRawQuery() != null && !path.equals("/");
    }

    /**
     * Checks that no operation would silently drop the URI's query.
     *
     * @return why operations can't be sent here; empty if they can
     */
    public Optional<String> problem(Scenario scenario) {
        return scenario.operations().stream()
                .filter(operation -> dropsQuery(operation.path()))
                .findFirst()
                .map(operation -> "its query would not be sent with %s, which has its own path"
                        .formatted(Secrets.redactQuery(operation.name())));
    }
}
