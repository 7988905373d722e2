package io.phaseload.events.http2;

import io.phaseload.http.limit.ResponseLimits;
import io.phaseload.timing.InstanceState;
import java.nio.charset.StandardCharsets;

/** The header of an HTTP/2 response; reused for the next one. */
public final class ResponseHead {

    private static final InstanceState[] STATES = InstanceState.values();

    private int status;
    private long contentLength;
    private InstanceState instance;
    private long retryAfter;
    private boolean regular;
    private String wrong;
    private final StringBuilder lines = new StringBuilder();

    void clear() {
        lines.setLength(0);
        status = 0;
        contentLength = FieldName.NO_VALUE;
        instance = null;
        retryAfter = FieldName.NO_VALUE;
        regular = false;
        wrong = null;
    }

    /** Adds the next field. */
    void take(FieldName name, long value) {
        if (value == FieldName.INVALID_VALUE) {
            wrong = "an invalid header value";
        }
        switch (name) {
            case STATUS -> takeStatus(value);
            case PSEUDO -> wrong = "a pseudo-header that isn't a response's";
            case INVALID -> wrong = "an invalid header name";
            case CONTENT_LENGTH -> takeLength(value);
            case INSTANCE -> instance = value < 0 ? null : STATES[(int) value];
            case RETRY_AFTER -> retryAfter = value;
            case OTHER -> {}
            default -> wrong = "a header that HTTP/2 doesn't have";
        }
        regular |= name != FieldName.STATUS;
    }

    /**
     * Keeps the text of a field; one that can't be is wrong already.
     *
     * @throws Http2Exception if all texts are too long: numbers in a small block can stand for large ones
     */
    void keep(String name, String value) throws Http2Exception {
        if (lines.length() + name.length() + value.length() > ResponseLimits.HEADER_BYTES) {
            throw new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, "Maximum header length exceeded");
        }
        if (!name.startsWith(":")) {
            lines.append(name).append(':').append(value).append('\n');
        }
    }

    /** Its fields as lines, each with its end; none if texts aren't kept. */
    public byte[] lines() {
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void takeStatus(long value) {
        if (regular || status != 0 || value < 100) {
            wrong = "an invalid :status";
        } else {
            status = (int) value;
        }
    }

    private void takeLength(long value) {
        if (value < 0 || contentLength >= 0 && contentLength != value) {
            wrong = "Invalid Content-Length";
        }
        contentLength = value;
    }

    /** Its status, or 0 if it has none. */
    public int status() {
        return status;
    }

    /** The value of {@code Content-Length}; negative without one. */
    public long contentLength() {
        return contentLength;
    }

    public InstanceState instance() {
        return instance;
    }

    /** The seconds of {@code Retry-After}; negative without any. A date isn't read. */
    public long retryAfter() {
        return retryAfter;
    }

    /** The mistake, or {@code null}. */
    public String wrong() {
        return wrong;
    }
}
