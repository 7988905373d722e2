package io.phaseload.http.response;

import java.util.Arrays;

/** Collects lines from bytes that arrive in pieces. */
final class LineBuffer {

    /** The reason why a line that isn't {@link #clean} is refused. */
    static final String ODD = "NUL or bare CR in a line";

    private final int limit;
    // The beginning of a line whose end hasn't arrived; usually empty.
    private byte[] held = new byte[0];
    private int holding;
    private byte[] line;
    private int from;
    private int to;
    private boolean clean = true;

    /**
     * Creates an empty buffer.
     *
     * @param limit the most bytes per line
     */
    LineBuffer(int limit) {
        this.limit = limit;
    }

    void clear() {
        holding = 0;
        clean = true;
        line = null;
    }

    /**
     * Reads up to the end of a line; an incomplete one is kept.
     *
     * @return the position after it
     */
    int read(byte[] bytes, int at, int end) throws MalformedException {
        if (holding > 0 && at < end && held[holding - 1] == '\r' && bytes[at] != '\n') {
            throw bareCr(bytes, at, at - 1);
        }
        int found = at;
        while (found < end) {
            byte next = bytes[found];
            // One test suffices for nearly all bytes: only control characters are below 32.
            if ((next & 0xE0) == 0) {
                if (next == '\n') {
                    break;
                }
                if (next == 0) {
                    clean = false;
                } else if (next == '\r' && found + 1 < end && bytes[found + 1] != '\n') {
                    throw bareCr(bytes, at, found);
                }
            }
            found++;
        }
        if (holding + found - at > limit) {
            throw new MalformedException("Maximum line length limit exceeded");
        }
        if (found == end) {
            hold(bytes, at, end);
            line = null;
            return end;
        }
        if (holding > 0) {
            hold(bytes, at, found);
            line = held;
            from = 0;
            to = holding;
            holding = 0;
        } else {
            line = bytes;
            from = at;
            to = found;
        }
        if (to > from && line[to - 1] == '\r') {
            to--;
        }
        return found + 1;
    }

    /** The line so far ends with a CR that no LF follows: it would never end. */
    private MalformedException bareCr(byte[] bytes, int at, int cr) {
        if (cr >= at) {
            hold(bytes, at, cr + 1);
        }
        return MalformedException.of(ODD, held, 0, holding);
    }

    private void hold(byte[] bytes, int at, int end) {
        int length = end - at;
        if (holding + length > held.length) {
            held = Arrays.copyOf(held, Math.max(256, 2 * (holding + length)));
        }
        System.arraycopy(bytes, at, held, holding, length);
        holding += length;
    }

    /** Whether the line contains no NUL; to be asked once. */
    boolean clean() {
        boolean was = clean;
        clean = true;
        return was;
    }

    /** The array with the line, or {@code null} if the line is incomplete. */
    byte[] bytes() {
        return line;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }
}
