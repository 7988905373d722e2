package io.phaseload.http.response;

import io.phaseload.input.Printable;
import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The length and the connection rules in a response's headers. Valid headers cost no allocation. */
final class HeaderRules {

    private static final byte[] CONTENT_LENGTH = bytes("content-length");
    private static final byte[] TRANSFER_ENCODING = bytes("transfer-encoding");
    private static final byte[] CONNECTION = bytes("connection");
    private static final byte[] PROXY_CONNECTION = bytes("proxy-connection");
    private static final byte[] INSTANCE = bytes(InstanceState.HEADER.toLowerCase(Locale.ROOT));
    private static final byte[] RETRY_AFTER = bytes("retry-after");
    private static final byte[] CHUNKED = bytes("chunked");
    private static final byte[] CLOSE = bytes("close");
    private static final byte[] KEEP_ALIVE = bytes("keep-alive");

    private static final long NONE = -1;

    /** The characters of a name (RFC 9110 §5.6.2). */
    private static final boolean[] TOKEN = new boolean[256];

    static {
        String marks = "!#$%&'*+-.^_`|~";
        for (char c = 0; c < 128; c++) {
            TOKEN[c] = marks.indexOf(c) >= 0 || Character.isLetterOrDigit(c);
        }
    }

    // The current header, if it is one of the above; the next line may continue it.
    private byte[] name;
    private byte[] value = new byte[64];
    private int length;

    private boolean any;
    private long contentLength;
    private boolean chunked;
    private boolean close;
    private boolean keepAlive;
    private String badLength;
    private String badEncoding;
    private InstanceState instance;
    private long retryAfter;

    void clear() {
        name = null;
        any = false;
        contentLength = NONE;
        chunked = false;
        close = false;
        keepAlive = false;
        badLength = null;
        badEncoding = null;
        instance = null;
        retryAfter = NONE;
    }

    /** Reads one line, which may continue the last one. */
    void read(byte[] line, int from, int to) throws MalformedException {
        if (any && isBlank(line[from])) {
            // A folded value (RFC 9112 §5.2).
            if (name != null) {
                append(line, from, to);
            }
            return;
        }
        any = true;
        end();
        int colon = check(line, from, to);
        name = known(line, from, colon - from);
        if (name != null) {
            length = 0;
            append(line, colon + 1, to);
        }
    }

    /** Checks a line's syntax; returns the position of its colon. */
    static int check(byte[] line, int from, int to) throws MalformedException {
        int colon = from;
        while (colon < to && TOKEN[line[colon] & 0xFF]) {
            colon++;
        }
        if (colon == to || colon == from || line[colon] != ':') {
            throw MalformedException.of("Invalid header", line, from, to);
        }
        return colon;
    }

    /** The current header is complete. */
    void end() {
        if (name == null) {
            return;
        }
        int from = 0;
        while (from < length && isBlank(value[from])) {
            from++;
        }
        int to = length;
        while (to > from && isBlank(value[to - 1])) {
            to--;
        }
        if (name == CONTENT_LENGTH) {
            readLength(from, to);
        } else if (name == TRANSFER_ENCODING) {
            readEncoding(from, to);
        } else if (name == INSTANCE) {
            instance = InstanceState.parse(text(from, to));
        } else if (name == RETRY_AFTER) {
            retryAfter = number(from, to);
        } else {
            readConnection(from, to);
        }
        name = null;
    }

    /**
     * Whether the body is chunked.
     *
     * @throws MalformedException if the transfer encoding is unknown
     */
    boolean chunked() throws MalformedException {
        if (badEncoding != null) {
            throw new MalformedException("Unsupported transfer encoding: " + badEncoding);
        }
        return chunked;
    }

    /**
     * The content length, or a negative number if there is none.
     *
     * @throws MalformedException if it is invalid
     */
    long contentLength() throws MalformedException {
        if (badLength != null) {
            throw new MalformedException("Invalid Content-Length: " + badLength);
        }
        return contentLength;
    }

    /** Whether there is a content length, valid or not. */
    boolean saysLength() {
        return contentLength != NONE || badLength != null;
    }

    InstanceState instance() {
        return instance;
    }

    /** The seconds of {@code Retry-After}; negative without any. A date isn't read. */
    long retryAfter() {
        return retryAfter;
    }

    /** Whether the connection persists, given the default. */
    boolean keepsConnection(boolean byDefault) {
        return !close && (byDefault || keepAlive);
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static byte[] known(byte[] line, int from, int length) {
        return switch (length) {
            case 10 -> is(CONNECTION, line, from, length) ? CONNECTION : null;
            case 11 -> is(RETRY_AFTER, line, from, length) ? RETRY_AFTER : null;
            case 14 -> is(CONTENT_LENGTH, line, from, length) ? CONTENT_LENGTH : null;
            case 15 -> is(INSTANCE, line, from, length) ? INSTANCE : null;
            case 16 -> is(PROXY_CONNECTION, line, from, length) ? PROXY_CONNECTION : null;
            case 17 -> is(TRANSFER_ENCODING, line, from, length) ? TRANSFER_ENCODING : null;
            default -> null;
        };
    }

    private void append(byte[] line, int from, int to) {
        int more = to - from;
        if (length + more > value.length) {
            value = Arrays.copyOf(value, 2 * (length + more));
        }
        System.arraycopy(line, from, value, length, more);
        length += more;
    }

    private void readLength(int from, int to) {
        long length = contentLength == NONE ? number(from, to) : NONE;
        if (length >= 0) {
            contentLength = length;
        } else {
            badLength = text(from, to);
        }
    }

    /** Negative if it isn't one. */
    private long number(int from, int to) {
        long sum = 0;
        boolean digits = from < to && to - from <= 19;
        for (int i = from; digits && i < to; i++) {
            int digit = value[i] - '0';
            digits = digit >= 0 && digit <= 9;
            sum = sum * 10 + digit;
        }
        return digits ? sum : NONE;
    }

    private void readEncoding(int from, int to) {
        if (chunked || !is(CHUNKED, value, from, to - from)) {
            badEncoding = text(from, to);
        }
        chunked = true;
    }

    private void readConnection(int from, int to) {
        int at = from;
        while (at < to) {
            int end = at;
            while (end < to && value[end] != ',') {
                end++;
            }
            int last = end;
            while (last > at && isBlank(value[last - 1])) {
                last--;
            }
            close |= is(CLOSE, value, at, last - at);
            keepAlive |= is(KEEP_ALIVE, value, at, last - at);
            at = end + 1;
            while (at < to && isBlank(value[at])) {
                at++;
            }
        }
    }

    private static boolean is(byte[] word, byte[] text, int from, int length) {
        if (length != word.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            byte b = text[from + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != word[i]) {
                return false;
            }
        }
        return true;
    }

    private String text(int from, int to) {
        int shown = Math.min(to - from, 100);
        return Printable.of(new String(value, from, shown, StandardCharsets.ISO_8859_1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
