package io.phaseload.plan.engine;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much a server may send over HTTP/2 before the client has read it (flow control, RFC 9113 §5.2).
 *
 * @param stream bytes of one response, from 65,535 (HTTP/2's own default) to 2,147,483,647
 * @param connection bytes of all responses on a connection together; the same range
 */
public record Http2Windows(int stream, int connection) {

    /** HTTP/2's own default. */
    public static final int LEAST = 65_535;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})(KiB|MiB)?,(\\d{1,10})(KiB|MiB)?");

    /** About what browsers allow. */
    public static final Http2Windows DEFAULT = new Http2Windows(6 << 20, 15 << 20);

    /**
     * Checks both.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Http2Windows {
        Args.range("stream window", stream, LEAST, Integer.MAX_VALUE);
        Args.range("connection window", connection, LEAST, Integer.MAX_VALUE);
    }

    /**
     * Reads windows.
     *
     * @param text a stream's and a connection's, such as {@code 6MiB,15MiB} or {@code 65535,65535}
     * @throws IllegalArgumentException if it isn't of that form, or out of range
     */
    public static Http2Windows parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new ValueException("windows " + text, "bytes per stream and per connection, such as " + DEFAULT);
        }
        return new Http2Windows(bytes(matcher.group(1), matcher.group(2)), bytes(matcher.group(3), matcher.group(4)));
    }

    /** A value beyond an int is too large for a window. */
    private static int bytes(String number, String unit) {
        int shift = unit == null ? 0 : unit.equals("KiB") ? 10 : 20;
        long bytes = Long.parseLong(number) << shift;
        if (bytes > Integer.MAX_VALUE) {
            throw new ValueException("window %d".formatted(bytes), "%d to %d".formatted(LEAST, Integer.MAX_VALUE));
        }
        return (int) bytes;
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return text(stream) + "," + text(connection);
    }

    private static String text(int bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + "KiB" : Integer.toString(bytes);
    }
}
