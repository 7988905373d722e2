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
    // NULs and CRs in the line so far; it may end with one CR.
    private int odd;
    private byte[] line;
    private int from;
    private int to;
    private boolean clean;

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
        odd = 0;
        line = null;
    }

    /**
     * Reads up to the end of a line; an incomplete one is kept.
     *
     * @return the position after it
     */
    int read(byte[] bytes, int at, int end) throws MalformedException {
        int found = at;
        while (found < end) {
            byte next = bytes[found];
            // One test suffices for nearly all bytes: only control characters are below 32.
            if ((next & 0xE0) == 0) {
                if (next == '\n') {
                    break;
                }
                if (next == '\r' || next == 0) {
                    odd++;
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
            // The last CR may be followed by its LF.
            if (odd > (holding > 0 && held[holding - 1] == '\r' ? 1 : 0)) {
                throw MalformedException.of(ODD, held, 0, holding);
            }
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
            odd--;
        }
        clean = odd == 0;
        odd = 0;
        return found + 1;
    }

    private void hold(byte[] bytes, int at, int end) {
        int length = end - at;
        if (holding + length > held.length) {
            held = Arrays.copyOf(held, Math.max(256, 2 * (holding + length)));
        }
        System.arraycopy(bytes, at, held, holding, length);
        holding += length;
    }

    /** Whether the line contains neither NUL nor CR. */
    boolean clean() {
        return clean;
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
