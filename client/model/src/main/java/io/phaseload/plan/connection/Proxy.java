package io.phaseload.plan.connection;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy between the client and the service.
 *
 * @param kind its protocol
 * @param host a name or an address; one of IPv6 in brackets
 * @param port 1 to 65535
 * @param credentials the answer to its challenges; of {@link Kind#HTTP} only
 */
public record Proxy(Kind kind, String host, int port, Optional<Credentials> credentials) {

    /** The request to a proxy. */
    public enum Kind {
        /** HTTP: it passes requests on, and makes tunnels for those over TLS. */
        HTTP,
        /** SOCKS 5: it connects to an address that the client has looked up. */
        SOCKS5,
        /** SOCKS 5: it looks up the service's name itself. */
        SOCKS5H;

        private String scheme() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern ADDRESS =
            Pattern.compile("(http|socks5h?)://(?:(.*)@)?([^@/:\\[\\]]+|\\[[0-9a-fA-F:.]+]):(\\d{1,5})/?");

    /**
     * Checks the port and the credentials.
     *
     * @throws IllegalArgumentException if the port is none, or SOCKS shall have credentials
     */
    public Proxy {
        Args.range("port", port, 1, 65_535);
        if (kind != Kind.HTTP && credentials.isPresent()) {
            throw new ValueException("%s://host:port, without a name and password".formatted(kind.scheme()));
        }
    }

    /**
     * Reads an address.
     *
     * @param text {@code http://host:port}, or {@code http://NAME:PASSWORD@host:port}, both percent-encoded;
     *     {@code socks5://host:port} or {@code socks5h://host:port}
     * @return the proxy
     * @throws IllegalArgumentException if it is something else
     */
    public static Proxy parse(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches()) {
            throw new ValueException("http://[NAME:PASSWORD@]host:port, socks5://host:port or socks5h://host:port");
        }
        return new Proxy(
                Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
                matcher.group(3),
                Integer.parseInt(matcher.group(4)),
                Optional.ofNullable(matcher.group(2)).map(Proxy::credentials));
    }

    private static Credentials credentials(String text) {
        Credentials encoded = Credentials.parse(text);
        return new Credentials(decoded(encoded.name()), decoded(encoded.password()));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /**
     * Its address with what is secret; not to be kept.
     *
     * @return the text that {@link #parse} reads
     */
    public String withSecret() {
        String user = credentials
                .map(own -> encoded(own.name()) + ":" + encoded(own.password()) + "@")
                .orElse("");
        return kind.scheme() + "://" + user + host + ":" + port;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Its address, without what is secret. */
    @Override
    public String toString() {
        String user = credentials.map(secret -> secret + ":" + secret + "@").orElse("");
        return kind.scheme() + "://" + user + host + ":" + port;
    }
}
