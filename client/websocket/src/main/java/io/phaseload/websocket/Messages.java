package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Messages on the wire: {@code PAIR SEQUENCE INTENDED }, each as sixteen hexadecimal digits, and then as many {@code x}
 * as it takes. Owned by one loop, whose pairs share it.
 */
final class Messages {

    private static final int DIGITS = 16;
    private static final int FIELD = DIGITS + 1;
    private static final int HEAD = 3 * FIELD;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** The header of a message. */
    record Head(long pair, long sequence, long intendedNanos) {}

    // Buffers take and give many bytes at once for little more than one.
    private final byte[] sent;
    private final byte[] received = new byte[HEAD];

    Messages(int size) {
        sent = new byte[size];
        Arrays.fill(sent, HEAD, size, (byte) 'x');
    }

    ByteBuf write(ByteBufAllocator allocator, Head head) {
        write(0, head.pair());
        write(FIELD, head.sequence());
        write(2 * FIELD, head.intendedNanos());
        return allocator.buffer(sent.length).writeBytes(sent);
    }

    private void write(int start, long number) {
        for (int i = 0; i < DIGITS; i++) {
            sent[start + i] = HEX[(int) (number >>> 4 * (DIGITS - 1 - i) & 0xf)];
        }
        sent[start + DIGITS] = ' ';
    }

    /**
     * Reads a message without moving its reader.
     *
     * @return {@code null} if it is none of ours
     */
    Head read(ByteBuf message) {
        if (message.readableBytes() < HEAD) {
            return null;
        }
        message.getBytes(message.readerIndex(), received);
        for (int end = DIGITS; end < HEAD; end += FIELD) {
            if (received[end] != ' ') {
                return null;
            }
        }
        try {
            return new Head(number(0), number(FIELD), number(2 * FIELD));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private long number(int start) {
        long number = 0;
        for (int i = start; i < start + DIGITS; i++) {
            int digit = Character.digit(received[i], 16);
            if (digit < 0) {
                throw new NumberFormatException();
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
