package io.phaseload.measure;

import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request's place in a trace (W3C Trace Context, level 1).
 *
 * @param traceId 32 lower-case hexadecimal digits, not all zero
 * @param spanId 16 of them, not all zero
 */
public record TraceContext(String traceId, String spanId) {

    /** The name of the header. */
    public static final String HEADER = "traceparent";

    private static final Pattern VALUE =
            Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}");

    /**
     * Checks what may have been read from a damaged file.
     *
     * @throws NullPointerException if something is {@code null}
     */
    public TraceContext {
        Objects.requireNonNull(traceId);
        Objects.requireNonNull(spanId);
    }

    /**
     * A place by its numbers.
     *
     * @param high the first half of the trace's id
     * @param low the second half
     * @param span the id of the request's span
     */
    public static TraceContext of(long high, long low, long span) {
        HexFormat hex = HexFormat.of();
        return new TraceContext(hex.toHexDigits(high) + hex.toHexDigits(low), hex.toHexDigits(span));
    }

    /**
     * The place by the header of a request.
     *
     * @param value the header's
     * @return empty if it isn't of version 0, or malformed
     */
    public static Optional<TraceContext> parse(String value) {
        Matcher matcher = VALUE.matcher(value);
        return matcher.matches() ? Optional.of(new TraceContext(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    /** {@return the header's value, which asks the server to record the request} */
    public String header() {
        return "00-" + traceId + "-" + spanId + "-01";
    }
}
