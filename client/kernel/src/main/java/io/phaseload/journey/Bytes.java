package io.phaseload.journey;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a request as it is written; used again for the next one. Owned by one thread. */
public final class Bytes {

    /** The place of a value. */
    enum ValuePlace {
        /** A request's path and query. */
        PATH,
        /** A header's value. */
        HEADER,
        /** A body, or a text of its own: UTF-8. */
        BODY
    }

    private static final byte[] SEPARATOR = {':', ' '};
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final String PATH_PUNCTUATION = "!$&'()*+,;=:@/?._~[]|-%";

    private byte[] bytes = new byte[256];
    private int length;
    private boolean refused;

    /** Begins with nothing. */
    public void clear() {
        length = 0;
        refused = false;
    }

    public int length() {
        return length;
    }

    /** Whether a value can't be where it is to be: no request must be made of these bytes. */
    public boolean refused() {
        return refused;
    }

    /** {@return a copy} */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Copies them. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, length);
    }

    /** Appends bytes as they are. */
    public void add(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    /**
     * Appends a line of a header.
     *
     * @param name a token
     * @param value as {@link #add(String, ValuePlace)} takes it
     */
    public void addLine(String name, String value) {
        addToHeader(name);
        add(SEPARATOR);
        addToHeader(value);
        add(LINE_END);
    }

    /** Appends a number in decimal digits. */
    public void add(long number) {
        if (number == Long.MIN_VALUE) {
            add(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        ensure(20);
        if (number < 0) {
            bytes[length++] = '-';
        }
        long rest = Math.abs(number);
        int digits = 1;
        for (long left = rest; left >= 10; left /= 10) {
            digits++;
        }
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    /**
     * Appends a value. In a path, what can't stand there is percent-encoded as UTF-8. A control character is refused
     * there and in a header: with a line's end in it, a value could become a request of its own. So is in a header what
     * isn't Latin-1.
     */
    void add(String value, ValuePlace place) {
        switch (place) {
            case PATH -> addToPath(value);
            case HEADER -> addToHeader(value);
            case BODY -> addUtf8(value);
        }
    }

    private void addToPath(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == 0x7f) {
                refused = true;
            } else if (c < 0x7f && isInPath(c)) {
                put(c);
            } else {
                i += encode(value, i);
            }
        }
    }

    private static boolean isInPath(char c) {
        return Character.isLetterOrDigit(c) || PATH_PUNCTUATION.indexOf(c) >= 0;
    }

    /** Percent-encodes a character; returns how many more it consists of. */
    private int encode(String value, int at) {
        int more = Character.charCount(value.codePointAt(at)) - 1;
        for (byte b : value.substring(at, at + 1 + more).getBytes(StandardCharsets.UTF_8)) {
            put('%');
            put((char) HEX[b >> 4 & 0xf]);
            put((char) HEX[b & 0xf]);
        }
        return more;
    }

    /** Percent-encodes all but what never has a meaning of its own (RFC 3986 §2.3). */
    static String urlEncoded(String value) {
        Bytes encoded = new Bytes();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x7f && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
                encoded.put(c);
            } else {
                i += encoded.encode(value, i);
            }
        }
        return new String(encoded.bytes, 0, encoded.length, StandardCharsets.US_ASCII);
    }

    private void addToHeader(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                refused = true;
            } else {
                put(c);
            }
        }
    }

    private void addUtf8(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                add(value.substring(i).getBytes(StandardCharsets.UTF_8));
                return;
            }
            put(c);
        }
    }

    private void put(char c) {
        ensure(1);
        bytes[length++] = (byte) c;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    /** As UTF-8. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
