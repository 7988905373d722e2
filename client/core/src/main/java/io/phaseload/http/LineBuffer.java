package io.phaseload.http;

import java.util.Arrays;

/** Lines of bytes that come in pieces. */
final class LineBuffer {

    private final int limit;
    // The beginning of a line whose end hasn't arrived; empty but for lines that come in pieces.
    private byte[] held = new byte[0];
    private int holding;
    // Of the line so far: NULs, and CRs, of which one may end it.
    private int odd;
    private byte[] line;
    private int from;
    private int to;
    private boolean clean;

    /**
     * Makes one without a line.
     *
     * @param limit the most bytes of a line
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
     * Reads on, to the end of a line; what there is of an incomplete one is held.
     *
     * @return where the bytes behind it begin
     */
    int read(byte[] bytes, int at, int end) throws MalformedException {
        int found = at;
        while (found < end) {
            byte next = bytes[found];
            // One test for nearly all bytes: control characters alone are below 32.
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

    /** Whether neither a NUL nor a CR is in the line. */
    boolean clean() {
        return clean;
    }

    /** What the line is in, or {@code null} if it is incomplete. */
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
