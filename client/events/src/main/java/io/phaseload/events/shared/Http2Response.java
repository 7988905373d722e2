package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.http2.ResponseHead;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.timing.InstanceState;
import java.io.ByteArrayOutputStream;

/**
 * The response on an HTTP/2 stream, as its parts arrive; reused for the next one. Bodies are counted, and kept only if
 * a check needs them.
 */
final class Http2Response implements Received {

    private static final byte[] NO_LINES = {};

    private boolean toHead;
    private boolean headRead;
    private int status;
    private long length;
    private long read;
    private InstanceState instance;
    private long retryAfter;
    private boolean keepsLines;
    private byte[] lines = NO_LINES;
    private ByteArrayOutputStream body;
    // The most bytes of the body to keep.
    private int kept;

    /** Starts a response; may be called again. */
    void begin(LoopRequest request) {
        toHead = request.prepared().head();
        headRead = false;
        read = 0;
        instance = null;
        keepsLines = request.prepared().headKept();
        lines = NO_LINES;
        body = request.prepared().bodyKept() ? new ByteArrayOutputStream() : null;
        kept = KeptBody.CHECKED_BYTES;
    }

    /**
     * A header or a trailer has arrived.
     *
     * @param last true if the stream ends with it
     */
    String head(ResponseHead head, boolean last) {
        if (head.wrong() != null) {
            return head.wrong();
        }
        int code = head.status();
        if (headRead) {
            return code != 0 || !last ? "a second header" : null;
        }
        if (code == 0) {
            return "a header without :status";
        }
        if (code < 200) {
            return code == 101 || last ? "status %d".formatted(code) : null;
        }
        headRead = true;
        status = code;
        length = toHead || code == 204 || code == 304 ? 0 : head.contentLength();
        instance = head.instance();
        retryAfter = head.retryAfter();
        if (keepsLines) {
            lines = head.lines();
        }
        if (body == null && KeptBody.isQuoted(code)) {
            kept = KeptBody.QUOTED_BYTES;
            body = new ByteArrayOutputStream(kept);
        }
        return null;
    }

    /**
     * A part of the body has arrived.
     *
     * @param bytes a buffer that begins with it
     */
    String data(ByteBuf bytes, int count) {
        if (!headRead) {
            return "a body before its header";
        }
        read += count;
        if (length >= 0 && read > length) {
            return "more body than Content-Length says";
        }
        if (body != null) {
            int taken = Math.min(count, kept - body.size());
            for (int i = 0; i < taken; i++) {
                body.write(bytes.getByte(bytes.readerIndex() + i));
            }
        }
        return null;
    }

    /** The server ended the stream. */
    String end() {
        if (!headRead) {
            return "an end before its header";
        }
        return read < length ? "less body than Content-Length says" : null;
    }

    boolean headRead() {
        return headRead;
    }

    @Override
    public int status() {
        return status;
    }

    /** The lines of its header, if its request has them kept. */
    @Override
    public byte[] head() {
        return lines;
    }

    /** The kept part of the body, or {@code null} if nothing was to be kept. */
    @Override
    public ByteArrayOutputStream body() {
        return body;
    }

    @Override
    public long bodyBytes() {
        return read;
    }

    InstanceState instance() {
        return instance;
    }

    /** The seconds of its {@code Retry-After}; negative without any. */
    @Override
    public long retryAfter() {
        return retryAfter;
    }
}
