package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Messages on the wire: {@code PAIR SEQUENCE INTENDED }, each as sixteen hexadecimal digits, and
 * then as many {@code x} as it takes. Immutable.
 */
final class Messages {

    private static final int DIGITS = 16;
    private static final int FIELD = DIGITS + 1;
    private static final int HEAD = 3 * FIELD;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** What a message says about itself. */
    record Head(long pair, long sequence, long intendedNanos) {}

    private final byte[] filling;

    Messages(int size) {
        filling = new byte[size - HEAD];
        Arrays.fill(filling, (byte) 'x');
    }

    ByteBuf write(ByteBufAllocator allocator, Head head) {
        ByteBuf message = allocator.buffer(HEAD + filling.length);
        write(message, head.pair());
        write(message, head.sequence());
        write(message, head.intendedNanos());
        return message.writeBytes(filling);
    }

    private static void write(ByteBuf message, long number) {
        for (int shift = 4 * (DIGITS - 1); shift >= 0; shift -= 4) {
            message.writeByte(HEX[(int) (number >>> shift & 0xf)]);
        }
        message.writeByte(' ');
    }

    /**
     * Reads a message without moving its reader.
     *
     * @return {@code null} if it is none of ours
     */
    static Head read(ByteBuf message) {
        int start = message.readerIndex();
        if (message.readableBytes() < HEAD) {
            return null;
        }
        for (int field = 0; field < 3; field++) {
            if (message.getByte(start + field * FIELD + DIGITS) != ' ') {
                return null;
            }
        }
        try {
            return new Head(
                    number(message, start),
                    number(message, start + FIELD),
                    number(message, start + 2 * FIELD));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long number(ByteBuf message, int start) {
        long number = 0;
        for (int i = start; i < start + DIGITS; i++) {
            int digit = Character.digit(message.getByte(i), 16);
            if (digit < 0) {
                throw new NumberFormatException();
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
