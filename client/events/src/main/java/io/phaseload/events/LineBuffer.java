package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Lines of bytes that come in pieces. */
final class LineBuffer {

    private final byte[] chunk;
    private final int limit;
    private int filled;
    private int at;
    // The beginning of a line whose end hasn't come; empty but for lines that come in pieces.
    private byte[] held = new byte[0];
    private int holding;
    private byte[] line;
    private int from;
    private int to;

    LineBuffer(byte[] chunk, int limit) {
        this.chunk = chunk;
        this.limit = limit;
    }

    void clear() {
        holding = 0;
        filled = 0;
        at = 0;
    }

    /** Takes bytes to look at; those that turn out to be no lines must be given back. */
    void fill(ByteBuf bytes) {
        filled = Math.min(chunk.length, bytes.readableBytes());
        bytes.readBytes(chunk, 0, filled);
        at = 0;
    }

    void giveBack(ByteBuf bytes) {
        bytes.readerIndex(bytes.readerIndex() - (filled - at));
        filled = 0;
        at = 0;
    }

    /** Finds the next line; if it isn't whole, what there is of it is held. */
    boolean next() throws MalformedException {
        int end = at;
        while (end < filled && chunk[end] != '\n') {
            end++;
        }
        if (holding + end - at > limit) {
            throw new MalformedException("Maximum line length limit exceeded");
        }
        if (end == filled) {
            hold(end);
            at = end;
            return false;
        }
        if (holding > 0) {
            hold(end);
            line = held;
            from = 0;
            to = holding;
            holding = 0;
        } else {
            line = chunk;
            from = at;
            to = end;
        }
        at = end + 1;
        if (to > from && line[to - 1] == '\r') {
            to--;
        }
        return true;
    }

    private void hold(int end) {
        int length = end - at;
        if (holding + length > held.length) {
            held = Arrays.copyOf(held, Math.max(256, 2 * (holding + length)));
        }
        System.arraycopy(chunk, at, held, holding, length);
        holding += length;
    }

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
