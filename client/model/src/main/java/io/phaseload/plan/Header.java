package io.phaseload.plan;

import io.phaseload.options.ValueException;
import io.phaseload.plan.journey.Template;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One header of a request.
 *
 * @param name a token of RFC 9110 §5.6.2, such as {@code Accept}
 * @param value the value as sent; no control characters
 */
public record Header(String name, String value) {

    static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");

    /** The client frames the message itself, and asks for a WebSocket; a header that says otherwise would break it. */
    private static final Set<String> FRAMING = Set.of(
            "content-length",
            "transfer-encoding",
            "upgrade",
            "trailer",
            "sec-websocket-key",
            "sec-websocket-version",
            "sec-websocket-protocol",
            "sec-websocket-extensions");

    /**
     * Checks name and value.
     *
     * @throws IllegalArgumentException if the name isn't a token, the value has control characters or characters past
     *     U+00FF, the header is one that frames the message, or it expects anything but {@code 100-continue}
     */
    public Header {
        if (!TOKEN.matcher(name).matches()) {
            throw new ValueException("header name '%s'".formatted(name), "letters, digits and -");
        }
        if (!VALUE.matcher(value).matches()) {
            throw new ValueException("header " + name, "a value without control characters, in Latin-1");
        }
        if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("header %s: the client sets it itself".formatted(name));
        }
        if (name.equalsIgnoreCase("Expect") && !value.equalsIgnoreCase("100-continue")) {
            throw new ValueException("header " + name, "100-continue");
        }
    }

    /**
     * Parses the form of the command line.
     *
     * @param text {@code Name: value}
     * @throws IllegalArgumentException if there is no colon, or as the constructor does
     */
    public static Header parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new ValueException("'Name: value'");
        }
        String name = text.substring(0, colon).strip();
        if (name.chars().anyMatch(Character::isWhitespace)) {
            throw new ValueException("a name without blanks before the colon");
        }
        return new Header(name, text.substring(colon + 1).strip());
    }

    /** As a header of a journey's requests, with no values in it. */
    Header literal() {
        return new Header(name, Template.quoted(value));
    }
}
