package io.phaseload.input;

import java.net.IDN;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts addresses as people type them into ASCII, as they are sent. */
public final class AsciiUri {

    private static final Pattern HOST_AND_PORT = Pattern.compile("([^:@\\[\\]]+)(:[0-9]*)?");

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

    private static String authority(String authority) {
        Matcher matcher = HOST_AND_PORT.matcher(authority);
        if (isAscii(authority) || !matcher.matches()) {
            return percentEncoded(authority);
        }
        String host = matcher.group(1);
        if (AMBIGUOUS.matcher(host).find()) {
            throw new IllegalArgumentException("host '%s': expected its ASCII form (xn--…)".formatted(host));
        }
        String port = matcher.group(2) == null ? "" : matcher.group(2);
        try {
            return IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES) + port;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "host '%s': expected a name of letters, digits and -".formatted(host), e);
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
