package io.phaseload.http.response;

import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.http.limit.ResponseLimits;
import io.phaseload.http.stream.EventReader;
import io.phaseload.timing.InstanceState;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Parses responses as their bytes arrive, for all engines: HTTP/1.0 and 1.1 as in RFC 9112, and stricter where a broken
 * response would otherwise count as a success. Only broken and unusual responses cost allocations: it checks all
 * headers, but keeps only what says where the body ends and whether the connection persists. Bodies are skipped, unless
 * a check needs their beginning or their status says failure.
 *
 * <p>Owned by one connection.
 */
public final class ResponseParser implements Received {

    private static final byte[] NO_HEAD = {};

    /** The part of the response that the next byte belongs to. */
    private enum ParseState {
        STATUS_LINE,
        HEADERS,
        BODY_OF_LENGTH,
        BODY_TO_END,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS,
        DONE
    }

    private final LineBuffer lines = new LineBuffer(ResponseLimits.LINE_BYTES);
    private final StatusLine statusLine = new StatusLine();
    private final HeaderRules headers = new HeaderRules();
    private ParseState state = ParseState.DONE;
    private boolean answersHead;
    // Its header's lines, if a value is taken from them.
    private @Nullable ByteArrayOutputStream head;
    private ByteArrayOutputStream body;
    // The most bytes of the body to keep.
    private int kept;
    private int emptyLines;
    private int count;
    private int headerBytes;
    private final ProgressBudget budget = new ProgressBudget();
    private long left;
    private boolean toEnd;
    private boolean doubtfulLength;
    private boolean continued;
    // Of a response that should be a stream of events: whether it is one, and was cut off.
    private @Nullable EventReader events;
    private boolean streaming;
    private boolean cut;
    private long bodyBytes;

    /** Creates a parser; call {@code begin} first. */
    public ResponseParser() {}

    /**
     * Begins a response of whose header nothing is kept.
     *
     * @param toHead true if it answers {@code HEAD} and so has no body
     * @param keepBody true if a check will look at its body
     */
    public void begin(boolean toHead, boolean keepBody) {
        begin(toHead, keepBody, false, null);
    }

    /**
     * Begins a response.
     *
     * @param toHead true if it answers {@code HEAD} and so has no body
     * @param keepBody true if a check will look at its body
     * @param keepHead true if {@link #head()} is to have the lines of its header
     * @param events reads its body if that is a stream of events; {@code null} if none is expected
     */
    public void begin(boolean toHead, boolean keepBody, boolean keepHead, @Nullable EventReader events) {
        head = keepHead ? new ByteArrayOutputStream() : null;
        this.events = events;
        streaming = false;
        cut = false;
        answersHead = toHead;
        body = keepBody ? new ByteArrayOutputStream() : null;
        kept = KeptBody.CHECKED_BYTES;
        bodyBytes = 0;
        continued = false;
        lines.clear();
        budget.progress();
        beginHead();
    }

    private void beginHead() {
        state = ParseState.STATUS_LINE;
        emptyLines = 0;
        count = 0;
        headerBytes = 0;
        toEnd = false;
        doubtfulLength = false;
        headers.clear();
        if (head != null) {
            head.reset();
        }
    }

    /**
     * Reads on.
     *
     * @param bytes the buffer with the bytes
     * @param from the position of the first one
     * @param to the position after the last one
     * @return the position after what was read: {@code to}, unless the response ended earlier
     * @throws MalformedException if it isn't a valid response
     */
    public int parse(byte[] bytes, int from, int to) throws MalformedException {
        int at = from;
        while (state != ParseState.DONE && at < to) {
            at = inBody() ? take(bytes, at, to) : readLine(bytes, at, to);
        }
        return at;
    }

    /**
     * Skips a body that nothing checks, or a part of it, without reading its bytes.
     *
     * @param available the number of bytes that arrived, at least 0
     * @return the number of them that needn't be passed to {@link #parse}
     */
    public int skip(int available) {
        return inBody() && !streaming && !keepsMore() ? advance(available) : 0;
    }

    /**
     * Whether the response is complete.
     *
     * @return {@code true} also before the first one
     */
    public boolean done() {
        return state == ParseState.DONE;
    }

    /** The server closed the stream. */
    public boolean endOfStream() {
        if (state == ParseState.BODY_TO_END) {
            state = ParseState.DONE;
        }
        return state == ParseState.DONE;
    }

    /** {@inheritDoc} Valid once the head has arrived. */
    @Override
    public int status() {
        return statusLine.status();
    }

    @Override
    public @Nullable ByteArrayOutputStream body() {
        return body;
    }

    @Override
    public byte[] head() {
        return head == null ? NO_HEAD : head.toByteArray();
    }

    /**
     * The state of the instance that answered.
     *
     * @return {@code null} if it says nothing
     */
    public InstanceState instance() {
        return headers.instance();
    }

    @Override
    public long bodyBytes() {
        return bodyBytes;
    }

    @Override
    public long retryAfter() {
        return headers.retryAfter();
    }

    /**
     * Whether its head has arrived.
     *
     * @return {@code true} once the head is complete
     */
    public boolean headRead() {
        return state != ParseState.STATUS_LINE && state != ParseState.HEADERS;
    }

    /**
     * Whether the server asked for the request's body.
     *
     * @return {@code true} after {@code 100 Continue}
     */
    public boolean continued() {
        return continued;
    }

    /**
     * Whether the server keeps the connection open.
     *
     * @return valid for a complete response
     */
    public boolean keepsConnection() {
        return !toEnd && !doubtfulLength && !cut && headers.keepsConnection(statusLine.isAtLeastOneDotOne());
    }

    private boolean inBody() {
        return state == ParseState.BODY_OF_LENGTH || state == ParseState.CHUNK_DATA || state == ParseState.BODY_TO_END;
    }

    private boolean keepsMore() {
        return body != null && body.size() < kept;
    }

    private int take(byte[] bytes, int from, int to) {
        int length = advance(to - from);
        if (keepsMore()) {
            body.write(bytes, from, Math.min(length, kept - body.size()));
        }
        if (streaming && events.read(bytes, from, from + length)) {
            cut = state != ParseState.DONE;
            state = ParseState.DONE;
        }
        return from + length;
    }

    /** Continues in the body; returns how many bytes belong to it. */
    private int advance(int available) {
        if (state == ParseState.BODY_TO_END) {
            bodyBytes += available;
            return available;
        }
        int length = (int) Math.min(left, available);
        bodyBytes += length;
        left -= length;
        if (left == 0) {
            state = state == ParseState.CHUNK_DATA ? ParseState.CHUNK_END : ParseState.DONE;
        }
        return length;
    }

    private int readLine(byte[] bytes, int from, int to) throws MalformedException {
        int behind = lines.read(bytes, from, to);
        byte[] line = lines.bytes();
        if (line != null) {
            accept(line, lines.from(), lines.to());
            if (!lines.clean()) {
                throw MalformedException.of(LineBuffer.ODD, line, lines.from(), lines.to());
            }
        }
        return behind;
    }

    private void accept(byte[] line, int from, int to) throws MalformedException {
        switch (state) {
            case STATUS_LINE -> {
                if (from < to) {
                    statusLine.read(line, from, to);
                    state = ParseState.HEADERS;
                } else if (++emptyLines == ResponseLimits.EMPTY_LINES) {
                    throw new MalformedException("Maximum empty line limit exceeded");
                }
            }
            case HEADERS -> {
                if (from == to) {
                    headers.end();
                    beginBody();
                } else {
                    countLine(to - from);
                    headers.read(line, from, to);
                    if (head != null) {
                        head.write(line, from, to - from);
                        head.write('\n');
                    }
                }
            }
            case CHUNK_SIZE -> {
                left = ChunkSize.read(line, from, to);
                if (left < to - from - ResponseLimits.CHUNK_HEADER_BYTES) {
                    spend("chunks");
                }
                count = 0;
                headerBytes = 0;
                state = left == 0 ? ParseState.TRAILERS : ParseState.CHUNK_DATA;
            }
            case CHUNK_END -> {
                if (from < to) {
                    throw MalformedException.of("Unexpected content at the end of chunk", line, from, to);
                }
                state = ParseState.CHUNK_SIZE;
            }
            case TRAILERS -> {
                if (from == to) {
                    state = ParseState.DONE;
                } else {
                    countLine(to - from);
                    // All but the first may continue the previous one.
                    if (count == 1 || !HeaderRules.isBlank(line[from])) {
                        HeaderRules.check(line, from, to);
                    }
                }
            }
            default -> throw new IllegalStateException("no line in " + state);
        }
    }

    private void countLine(int length) throws MalformedException {
        if (++count > ResponseLimits.HEADERS) {
            throw new MalformedException("Maximum header count exceeded");
        }
        headerBytes += length;
        if (headerBytes > ResponseLimits.HEADER_BYTES) {
            throw new MalformedException("Maximum header length exceeded");
        }
    }

    private void spend(String pieces) throws MalformedException {
        if (budget.exceeded()) {
            throw new MalformedException(ProgressBudget.reason(pieces));
        }
    }

    private void beginBody() throws MalformedException {
        int status = statusLine.status();
        if (status < 200) {
            if (status == 101) {
                throw new MalformedException("an unrequested protocol switch");
            }
            spend("interim responses");
            continued |= status == 100;
            beginHead();
        } else if (answersHead || status == 204 || status == 304) {
            state = ParseState.DONE;
        } else if (headers.chunked()) {
            beginStream();
            quoteFailure();
            state = ParseState.CHUNK_SIZE;
            // Another recipient may disagree about where it ends (RFC 9112 §6.1, §6.3).
            doubtfulLength = !statusLine.isAtLeastOneDotOne() || headers.saysLength();
        } else {
            beginStream();
            quoteFailure();
            left = headers.contentLength();
            state = left < 0 ? ParseState.BODY_TO_END : left == 0 ? ParseState.DONE : ParseState.BODY_OF_LENGTH;
            toEnd = left < 0;
        }
    }

    private void beginStream() {
        streaming = events != null && events.accepts(statusLine.status(), head());
    }

    private void quoteFailure() {
        if (body == null && KeptBody.isQuoted(statusLine.status())) {
            kept = KeptBody.QUOTED_BYTES;
            body = new ByteArrayOutputStream(kept);
        }
    }
}
