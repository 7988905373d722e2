package io.phaseload.cli.doctor.facts;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The null server's state of a connection: its position in a request. It reads what Phaseload's own clients send,
 * bodies with a length (RFC 9112) and frames (RFC 9113), and trusts them.
 */
final class NullConnection {

    /** How much may be taken at once, and how many times larger the answers to it are at most. */
    static final int MOST_AT_ONCE = 1 << 15;

    static final int GROWTH = 3;

    private static final byte[] ANSWER = ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    private static final byte[] LENGTH = ascii("content-length:");

    /** The first line of an HTTP/2 connection, and what follows it: an empty line, SM, another. */
    private static final byte[] PREFACE = ascii("pri * http/2.0");

    private static final int REST_OF_PREFACE = 8;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACK = 1;
    private static final int FRAME_HEAD = 9;
    private static final int PING_LENGTH = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int LARGEST_WINDOW = Integer.MAX_VALUE;
    private static final int FIRST_WINDOW = 65_535;

    /** {@code :status 200} of HPACK's static table. */
    private static final byte STATUS_200 = (byte) 0x88;

    // The beginning of the line, in small letters, or of the frame.
    private final byte[] begun = new byte[32];
    private int length;
    private boolean http2;
    private long bodyLength;
    // What is passed over before the request ends, and its stream; none if it doesn't end there.
    private long skip;
    private int ending;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Goes on with what has come.
     *
     * @param in at most {@link #MOST_AT_ONCE}; all of it is taken
     * @param out gets the answers; has room for {@link #GROWTH} times as much
     */
    void take(ByteBuffer in, ByteBuffer out) {
        while (in.hasRemaining()) {
            if (skip > 0) {
                int now = (int) Math.min(skip, in.remaining());
                in.position(in.position() + now);
                skip -= now;
                endIfDue(out);
            } else if (http2) {
                frameByte(in.get(), out);
            } else {
                lineByte(in.get(), out);
            }
        }
    }

    private void endIfDue(ByteBuffer out) {
        if (skip == 0 && ending >= 0) {
            if (http2) {
                frame(out, 1, HEADERS, END_STREAM | END_HEADERS, ending).put(STATUS_200);
            } else {
                out.put(ANSWER);
            }
            ending = -1;
        }
    }

    private void lineByte(byte next, ByteBuffer out) {
        if (next != '\n') {
            if (next != '\r' && length < begun.length) {
                // Digits and punctuation stay as they are.
                begun[length++] = (byte) (next | 0x20);
            }
        } else if (length == 0) {
            skip = bodyLength;
            bodyLength = 0;
            ending = 0;
            endIfDue(out);
        } else if (begins(LENGTH)) {
            String value = new String(begun, LENGTH.length, length - LENGTH.length, StandardCharsets.US_ASCII);
            bodyLength = Long.parseLong(value.strip());
            length = 0;
        } else if (begins(PREFACE)) {
            http2 = true;
            skip = REST_OF_PREFACE;
            ending = -1;
            length = 0;
            frame(out, 6, SETTINGS, 0, 0).putShort((short) INITIAL_WINDOW_SIZE).putInt(LARGEST_WINDOW);
            frame(out, 4, WINDOW_UPDATE, 0, 0).putInt(LARGEST_WINDOW - FIRST_WINDOW);
        } else {
            length = 0;
        }
    }

    private boolean begins(byte[] word) {
        return length >= word.length && Arrays.equals(begun, 0, word.length, word, 0, word.length);
    }

    private void frameByte(byte next, ByteBuffer out) {
        begun[length++] = next;
        if (length < FRAME_HEAD) {
            return;
        }
        ByteBuffer head = ByteBuffer.wrap(begun);
        int payload = head.getInt(0) >>> 8;
        int type = begun[3];
        int flags = begun[4];
        if (type == PING && length < FRAME_HEAD + PING_LENGTH) {
            return;
        }
        length = 0;
        if (type == PING) {
            if ((flags & ACK) == 0) {
                frame(out, PING_LENGTH, PING, ACK, 0).put(begun, FRAME_HEAD, PING_LENGTH);
            }
            return;
        }
        if (type == SETTINGS && (flags & ACK) == 0) {
            frame(out, 0, SETTINGS, ACK, 0);
        }
        if (type == DATA && payload > 0) {
            frame(out, 4, WINDOW_UPDATE, 0, 0).putInt(payload);
        }
        boolean ends = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        skip = payload;
        ending = ends ? head.getInt(5) : -1;
        endIfDue(out);
    }

    private static ByteBuffer frame(ByteBuffer out, int payload, int type, int flags, int stream) {
        return out.putInt(payload << 8 | type).put((byte) flags).putInt(stream);
    }
}
