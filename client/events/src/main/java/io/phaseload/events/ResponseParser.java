package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.phaseload.http.InstanceState;
import java.io.ByteArrayOutputStream;

/**
 * Reads one response after another as their bytes come. It makes objects for broken and for unusual
 * responses only: of the headers, each checked, it keeps what says where the body ends and whether
 * the connection stays. Bodies are counted and skipped, unless a check asks for their beginning.
 *
 * <p>Owned by one connection.
 */
final class ResponseParser {

    static final int MAX_LINE = 64 << 10;
    static final int MAX_HEADERS = 1_000;

    /** As much of a body as checks look at. */
    static final int CHECKED_BYTES = 1 << 20;

    private static final int MAX_EMPTY_LINES = 10;
    private static final int CHUNK = 4 << 10;

    /** Where the next byte belongs. */
    private enum State {
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

    private final LineBuffer lines;
    private final HeaderRules headers = new HeaderRules();
    private State state = State.DONE;
    private boolean head;
    private ByteArrayOutputStream body;
    private int status;
    private boolean atLeastOneDotOne;
    private int emptyLines;
    private int count;
    private long left;
    private boolean toEnd;

    /**
     * Makes a parser.
     *
     * @param chunk where lines are looked at; may be shared by the parsers of one thread
     */
    ResponseParser(byte[] chunk) {
        this.lines = new LineBuffer(chunk, MAX_LINE);
    }

    static byte[] newChunk() {
        return new byte[CHUNK];
    }

    /**
     * Begins a response.
     *
     * @param toHead whether it answers {@code HEAD}, and so has no body
     * @param keepBody whether a check will look at its body
     */
    void begin(boolean toHead, boolean keepBody) {
        head = toHead;
        body = keepBody ? new ByteArrayOutputStream() : null;
        lines.clear();
        beginHead();
    }

    private void beginHead() {
        state = State.STATUS_LINE;
        emptyLines = 0;
        count = 0;
        toEnd = false;
        headers.clear();
    }

    /**
     * Reads on.
     *
     * @param bytes what came; what is left in it lies behind the response
     * @return whether the response is whole
     */
    boolean parse(ByteBuf bytes) throws MalformedException {
        while (state != State.DONE && bytes.isReadable()) {
            switch (state) {
                case BODY_OF_LENGTH, CHUNK_DATA -> skip(bytes);
                case BODY_TO_END -> take(bytes, bytes.readableBytes());
                default -> readLines(bytes);
            }
        }
        return state == State.DONE;
    }

    /**
     * The server has ended the stream.
     *
     * @return whether the response is whole with that
     */
    boolean endOfStream() {
        if (state == State.BODY_TO_END) {
            state = State.DONE;
        }
        return state == State.DONE;
    }

    int status() {
        return status;
    }

    /** The body's first MiB, or {@code null} if it wasn't asked for. */
    ByteArrayOutputStream body() {
        return body;
    }

    InstanceState instance() {
        return headers.instance();
    }

    /** Whether its head has come whole. */
    boolean headRead() {
        return state != State.STATUS_LINE && state != State.HEADERS;
    }

    /** Whether the server keeps the connection; for a whole response. */
    boolean keepsConnection() {
        return !toEnd && headers.keepsConnection(atLeastOneDotOne);
    }

    private void skip(ByteBuf bytes) {
        int length = (int) Math.min(left, bytes.readableBytes());
        take(bytes, length);
        left -= length;
        if (left == 0) {
            state = state == State.CHUNK_DATA ? State.CHUNK_END : State.DONE;
        }
    }

    private void take(ByteBuf bytes, int length) {
        if (body == null || body.size() >= CHECKED_BYTES) {
            bytes.skipBytes(length);
            return;
        }
        byte[] kept = new byte[Math.min(length, CHECKED_BYTES - body.size())];
        bytes.readBytes(kept);
        body.writeBytes(kept);
        bytes.skipBytes(length - kept.length);
    }

    /** Reads lines until the bytes are used up or no line is expected any more. */
    private void readLines(ByteBuf bytes) throws MalformedException {
        lines.fill(bytes);
        try {
            while (expectsLine() && lines.next()) {
                readLine(lines.bytes(), lines.from(), lines.to());
            }
        } finally {
            lines.giveBack(bytes);
        }
    }

    private boolean expectsLine() {
        return switch (state) {
            case STATUS_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS -> true;
            default -> false;
        };
    }

    private void readLine(byte[] line, int from, int to) throws MalformedException {
        switch (state) {
            case STATUS_LINE -> {
                if (from < to) {
                    readStatusLine(line, from, to);
                    state = State.HEADERS;
                } else if (++emptyLines == MAX_EMPTY_LINES) {
                    throw new MalformedException("Maximum empty line limit exceeded");
                }
            }
            case HEADERS -> {
                if (from == to) {
                    headers.end();
                    beginBody();
                } else {
                    countLine();
                    headers.read(line, from, to);
                }
            }
            case CHUNK_SIZE -> {
                left = chunkSize(line, from, to);
                count = 0;
                state = left == 0 ? State.TRAILERS : State.CHUNK_DATA;
            }
            case CHUNK_END -> {
                if (from < to) {
                    throw MalformedException.of(
                            "Unexpected content at the end of chunk", line, from, to);
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILERS -> {
                if (from == to) {
                    state = State.DONE;
                } else {
                    countLine();
                    HeaderRules.check(line, from, to, count > 1);
                }
            }
            default -> throw new IllegalStateException("no line in " + state);
        }
    }

    private void countLine() throws MalformedException {
        if (++count > MAX_HEADERS) {
            throw new MalformedException("Maximum header count exceeded");
        }
    }

    private void readStatusLine(byte[] line, int from, int to) throws MalformedException {
        boolean http =
                to - from >= 8
                        && line[from] == 'H'
                        && line[from + 1] == 'T'
                        && line[from + 2] == 'T'
                        && line[from + 3] == 'P'
                        && line[from + 4] == '/'
                        && line[from + 6] == '.';
        if (!http) {
            throw MalformedException.of("Invalid protocol version", line, from, to);
        }
        if (line[from + 5] != '1' || !isDigit(line[from + 7])) {
            throw MalformedException.of("Unsupported protocol version", line, from, to);
        }
        atLeastOneDotOne = line[from + 7] >= '1';
        int code = 0;
        int at = from + 8;
        while (at < to && HeaderRules.isBlank(line[at])) {
            at++;
        }
        int first = at;
        while (at < to && isDigit(line[at]) && at - first < 4) {
            code = code * 10 + line[at++] - '0';
        }
        boolean delimited = first > from + 8 && (at == to || HeaderRules.isBlank(line[at]));
        if (at - first != 3 || code < 100 || !delimited) {
            throw MalformedException.of("Status line contains invalid status code", line, from, to);
        }
        status = code;
    }

    private void beginBody() throws MalformedException {
        if (status < 200) {
            if (status == 101) {
                throw new MalformedException("a switch of protocols that nobody asked for");
            }
            beginHead();
        } else if (head || status == 204 || status == 304) {
            state = State.DONE;
        } else if (headers.chunked()) {
            state = State.CHUNK_SIZE;
        } else {
            left = headers.contentLength();
            state = left < 0 ? State.BODY_TO_END : left == 0 ? State.DONE : State.BODY_OF_LENGTH;
            toEnd = left < 0;
        }
    }

    private static long chunkSize(byte[] line, int from, int to) throws MalformedException {
        int end = from;
        while (end < to && line[end] != ';') {
            end++;
        }
        while (end > from && HeaderRules.isBlank(line[end - 1])) {
            end--;
        }
        int at = from;
        while (at < end && HeaderRules.isBlank(line[at])) {
            at++;
        }
        if (at < end && line[at] == '-') {
            throw MalformedException.of("Negative chunk size", line, from, to);
        }
        long size = 0;
        for (int i = at; i < end; i++) {
            int digit = Character.digit(line[i], 16);
            if (digit < 0 || size > Long.MAX_VALUE >> 5) {
                throw MalformedException.of("Bad chunk header", line, from, to);
            }
            size = size << 4 | digit;
        }
        if (at == end) {
            throw MalformedException.of("Bad chunk header", line, from, to);
        }
        return size;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
