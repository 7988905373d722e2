package io.phaseload.events.http2;

import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The header fields of an HTTP/2 response that matter here. */
enum FieldName {
    STATUS(":status"),
    CONTENT_LENGTH("content-length"),
    INSTANCE(InstanceState.HEADER.toLowerCase(Locale.ROOT)),
    RETRY_AFTER("retry-after"),
    CONNECTION("connection"),
    KEEP_ALIVE("keep-alive"),
    PROXY_CONNECTION("proxy-connection"),
    TRANSFER_ENCODING("transfer-encoding"),
    UPGRADE("upgrade"),
    /** A pseudo-header that responses don't have. */
    PSEUDO(""),
    /** An invalid name: empty, or with characters such as capital letters. */
    INVALID(""),
    OTHER("");

    /** Stands for a value that isn't a number. */
    static final long NO_VALUE = -1;

    /** Stands for an invalid value. */
    static final long INVALID_VALUE = -2;

    private static final FieldName[] ALL = values();

    private final byte[] text;

    FieldName(String text) {
        this.text = text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Finds a name, which must be in lower case. */
    static FieldName of(byte[] bytes, int from, int length) {
        if (length == 0) {
            return INVALID;
        }
        for (FieldName name : ALL) {
            if (name.text.length == length && name.is(bytes, from)) {
                return name;
            }
        }
        boolean pseudo = bytes[from] == ':';
        for (int i = pseudo ? from + 1 : from; i < from + length; i++) {
            byte b = bytes[i];
            // Bytes above 0x7f are negative here.
            if (b >= 'A' && b <= 'Z' || b <= ' ' || b == 0x7f || b == ':') {
                return INVALID;
            }
        }
        return pseudo ? PSEUDO : OTHER;
    }

    private boolean is(byte[] bytes, int from) {
        for (int i = 0; i < text.length; i++) {
            if (bytes[from + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a field's value as a number.
     *
     * @return {@link #NO_VALUE} if it isn't one; {@link #INVALID_VALUE} if it contains NUL, CR or LF, or begins or ends
     *     with white space (RFC 9113 §8.2.1)
     */
    long value(byte[] bytes, int from, int length) {
        if (!isValid(bytes, from, length)) {
            return INVALID_VALUE;
        }
        return switch (this) {
            case STATUS -> length == 3 ? number(bytes, from, length) : NO_VALUE;
            case CONTENT_LENGTH, RETRY_AFTER -> number(bytes, from, length);
            case INSTANCE -> state(new String(bytes, from, length, StandardCharsets.ISO_8859_1));
            default -> NO_VALUE;
        };
    }

    private static boolean isValid(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            byte b = bytes[i];
            if (b == 0 || b == '\n' || b == '\r') {
                return false;
            }
        }
        return length == 0 || !isBlank(bytes[from]) && !isBlank(bytes[from + length - 1]);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static long number(byte[] bytes, int from, int length) {
        long sum = 0;
        for (int i = from; i < from + length; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return NO_VALUE;
            }
            sum = sum * 10 + digit;
        }
        return length == 0 || length > 18 ? NO_VALUE : sum;
    }

    private static long state(String value) {
        InstanceState state = InstanceState.parse(value);
        return state == null ? NO_VALUE : state.ordinal();
    }
}
