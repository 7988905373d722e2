package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.AsciiUri;
import io.phaseload.settings.Secrets;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where requests go.
 *
 * @param uri absolute, {@code http} or {@code https}, with a host, without user information and
 *     fragment; what isn't ASCII in it is percent-encoded as UTF-8, and a host's name is written as
 *     DNS has it
 * @param headers sent with every request
 * @param connectTimeout for resolving, connecting and the TLS handshake together; 5 s by default
 * @param responseTimeout from the first byte sent to the last byte received; 5 s by default
 * @param insecure {@code true} accepts any certificate and host name
 * @param tlsFiles whom to trust and who the client is; of {@code https} alone
 */
public record Target(
        URI uri,
        List<Header> headers,
        Duration connectTimeout,
        Duration responseTimeout,
        boolean insecure,
        TlsFiles tlsFiles) {

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Target {
        uri = AsciiUri.of(uri);
        boolean http =
                "http".equalsIgnoreCase(uri.getScheme())
                        || "https".equalsIgnoreCase(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    "url '%s': expected http://host[:port]/path or https://…"
                            .formatted(withoutUserInfo(uri)));
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "url '%s': expected no user information; send an Authorization header"
                            .formatted(withoutUserInfo(uri)));
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "url '%s': expected no fragment (#…)".formatted(uri));
        }
        headers = List.copyOf(headers);
        Args.positive("connect timeout", connectTimeout);
        Args.positive("response timeout", responseTimeout);
        if (!tlsFiles.equals(TlsFiles.NONE) && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException(
                    "url '%s': expected https://, which certificates and keys need".formatted(uri));
        }
        if (tlsFiles.authorities().isPresent() && insecure) {
            throw new IllegalArgumentException(
                    "insecure cannot be combined with authorities, which it would ignore");
        }
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
    public Target(
            URI uri,
            List<Header> headers,
            Duration connectTimeout,
            Duration responseTimeout,
            boolean insecure) {
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
        return new Target(
                uri,
                List.of(),
                Settings.NONE.time(Setting.CONNECT_TIMEOUT),
                Settings.NONE.time(Setting.RESPONSE_TIMEOUT),
                false);
    }

    /**
     * Whether requests go over TLS.
     *
     * @return {@code true} for {@code https}
     */
    public boolean tls() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /**
     * The host to connect to.
     *
     * @return a name or a literal address, IPv6 without its brackets
     */
    public String host() {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /**
     * The port to connect to.
     *
     * @return the URI's, or its scheme's
     */
    public int port() {
        if (uri.getPort() > 0) {
            return uri.getPort();
        }
        return tls() ? 443 : 80;
    }

    /**
     * What stands in a request line for an operation's path.
     *
     * @param path an operation's path; {@code /} means the target's URI as it is, any other is
     *     appended to the URI's path
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
     * Whether an operation is sent without the URI's query.
     *
     * @param path an operation's path
     * @return {@code true} if the URI has a query and the path is one of its own
     */
    public boolean dropsQuery(String path) {
        return uri.getRawQuery() != null && !path.equals("/");
    }

    /**
     * Why operations can't be sent here: a query that one drops would be missed late, if at all.
     */
    Optional<String> problem(Scenario scenario) {
        return scenario.operations().stream()
                .filter(operation -> dropsQuery(operation.path()))
                .findFirst()
                .map(
                        operation ->
                                "its query would not be sent with %s, which has a path of its own"
                                        .formatted(Secrets.redactQuery(operation.name())));
    }

    private static String withoutUserInfo(URI uri) {
        // From the text: a URI whose host is malformed has no user information of its own.
        return uri.toString().replaceFirst("//[^/?#]*@", "//…@");
    }
}
