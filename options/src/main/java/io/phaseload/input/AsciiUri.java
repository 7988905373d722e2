package io.phaseload.input;

import io.phaseload.options.ValueException;
import java.net.IDN;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts addresses as people type them into ASCII, as they are sent. */
public final class AsciiUri {

    private static final Pattern HOST_AND_PORT = Pattern.compile("([^:@\\[\\]]+)(:[0-9]*)?");

    private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss", "mqtt", "mqtts");

    /** Characters that the two versions of IDNA encode differently, so that each names another host. */
    private static final Pattern AMBIGUOUS = Pattern.compile("[\u00df\u03c2\u200c\u200d]");

    private AsciiUri() {}

    /**
     * Percent-encodes non-ASCII characters as UTF-8 (RFC 3986 §2.5), and encodes the host for DNS (RFC 3490).
     *
     * @param uri as typed
     * @return the same address in ASCII
     * @throws IllegalArgumentException if the host can't be encoded
     */
    public static URI of(URI uri) {
        if (isAscii(uri.toString())) {
            return uri;
        }
        if (uri.getRawAuthority() == null) {
            return URI.create(percentEncoded(uri.toString()));
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
        return URI.create(uri.getScheme()
                + "://"
                + authority(uri.getRawAuthority())
                + percentEncoded(uri.getRawPath() + query + fragment));
    }

    /**
     * Checks the address of a server.
     *
     * @param uri as typed
     * @return the same address in ASCII
     * @throws IllegalArgumentException if it isn't absolute, of a known scheme and with a host, or if it has user
     *     information or a fragment
     */
    public static URI ofServer(URI uri) {
        URI ascii = of(uri);
        boolean known =
                ascii.getScheme() != null && SCHEMES.contains(ascii.getScheme().toLowerCase(Locale.ROOT));
        if (!known || ascii.getHost() == null || ascii.getPort() == 0 || ascii.getPort() > 65_535) {
            throw new ValueException(
                    "url '%s'".formatted(withoutUserInfo(ascii)), "http://host[:port]/path or https://…");
        }
        if (ascii.getRawUserInfo() != null) {
            throw new ValueException(
                    "url '%s'".formatted(withoutUserInfo(ascii)), "no user information; send an Authorization header");
        }
        if (ascii.getRawFragment() != null) {
            throw new ValueException("url '%s'".formatted(ascii), "no fragment (#…)");
        }
        return ascii;
    }

    private static String withoutUserInfo(URI uri) {
        // From the text: a URI with a malformed host has no user information.
        return uri.toString().replaceFirst("//[^/?#]*@", "//…@");
    }

    private static String authority(String authority) {
        Matcher matcher = HOST_AND_PORT.matcher(authority);
        if (isAscii(authority) || !matcher.matches()) {
            return percentEncoded(authority);
        }
        String host = matcher.group(1);
        if (AMBIGUOUS.matcher(host).find()) {
            throw new ValueException("host '%s'".formatted(host), "its ASCII form (xn--…)");
        }
        String port = matcher.group(2) == null ? "" : matcher.group(2);
        try {
            return IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES) + port;
        } catch (IllegalArgumentException e) {
            throw new ValueException("host '%s'".formatted(host), "a name of letters, digits and -", e);
        }
    }

    /**
     * Percent-encodes non-ASCII characters as UTF-8.
     *
     * @param text a path, for example
     * @return ASCII; what was ASCII is unchanged
     */
    public static String percentEncoded(String text) {
        if (isAscii(text)) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= 0) {
                encoded.append((char) octet);
            } else {
                encoded.append(String.format("%%%02X", octet));
            }
        }
        return encoded.toString();
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }
}
