package io.phaseload.plan.engine;

import io.phaseload.input.Args;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An HTTP proxy: it passes requests on, and makes tunnels for those over TLS.
 *
 * @param host a name or an address; one of IPv6 in brackets
 * @param port 1 to 65535
 * @param credentials the answer to its challenges
 */
public record Proxy(String host, int port, Optional<Credentials> credentials) {

    private static final Pattern ADDRESS =
            Pattern.compile("http://(?:(.*)@)?([^@/:\\[\\]]+|\\[[0-9a-fA-F:.]+]):(\\d{1,5})/?");

    /**
     * Checks the port.
     *
     * @throws IllegalArgumentException if it is none
     */
    public Proxy {
        Args.range("port", port, 1, 65_535);
    }

    /**
     * Reads an address.
     *
     * @param text {@code http://host:port}, or {@code http://NAME:PASSWORD@host:port}, both
     *     percent-encoded
     * @return the proxy
     * @throws IllegalArgumentException if it is something else
     */
    public static Proxy parse(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected http://[NAME:PASSWORD@]host:port");
        }
        return new Proxy(
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Optional.ofNullable(matcher.group(1)).map(Proxy::credentials));
    }

    private static Credentials credentials(String text) {
        Credentials encoded = Credentials.parse(text);
        return new Credentials(decoded(encoded.name()), decoded(encoded.password()));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Its address, without what is secret. */
    @Override
    public String toString() {
        String user = credentials.map(secret -> secret + ":" + secret + "@").orElse("");
        return "http://" + user + host + ":" + port;
    }
}
