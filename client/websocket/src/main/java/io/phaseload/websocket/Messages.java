package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.phaseload.journey.ValueFinder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Payloads on the wire: {@code PAIR SEQUENCE INTENDED }, each as sixteen hexadecimal digits, and then as many {@code x}
 * as it takes. Owned by one loop, whose pairs share it.
 */
final class Messages {

    private static final int DIGITS = 16;
    private static final int FIELD = DIGITS + 1;
    private static final int HEAD = 3 * FIELD;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_HEAD = {};

    /** The header of a payload. */
    record Head(long pair, long sequence, long intendedNanos) {}

    /** Receives each payload of a message. */
    interface PayloadReader {
        void received(Head head);
    }

    // Buffers take and give many bytes at once for little more than one.
    private final byte[] sent;
    private final byte[] before;
    private final Optional<ValueFinder> finder;
    private byte[] received = new byte[256];
    private int length;

    /**
     * Payloads of a protocol.
     *
     * @param before the bytes before each; none if they may be anywhere
     * @param finder finds them in place of these
     */
    Messages(int size, byte[] before, Optional<ValueFinder> finder) {
        this.before = before;
        this.finder = finder;
        sent = new byte[size];
        Arrays.fill(sent, HEAD, size, (byte) 'x');
    }

    /** The next payload. */
    private byte[] payload(Head head) {
        write(0, head.pair());
        write(FIELD, head.sequence());
        write(2 * FIELD, head.intendedNanos());
        return sent;
    }

    ByteBuf write(ByteBufAllocator allocator, byte[] start, Head head, byte[] end) {
        byte[] payload = payload(head);
        return allocator
                .buffer(start.length + payload.length + end.length)
                .writeBytes(start)
                .writeBytes(payload)
                .writeBytes(end);
    }

    String text(Head head) {
        return new String(payload(head), StandardCharsets.US_ASCII);
    }

    private void write(int start, long number) {
        for (int i = 0; i < DIGITS; i++) {
            sent[start + i] = HEX[(int) (number >>> 4 * (DIGITS - 1 - i) & 0xf)];
        }
        sent[start + DIGITS] = ' ';
    }

    /**
     * Reads the payloads of a message without moving its reader.
     *
     * @return false if it has none
     */
    boolean read(ByteBuf message, PayloadReader reader) {
        length = message.readableBytes();
        if (received.length < length) {
            received = new byte[2 * length];
        }
        message.getBytes(message.readerIndex(), received, 0, length);
        return finder.isPresent() ? find(finder.get(), reader) : search(reader);
    }

    /** {@return a copy of the message that was read last} */
    byte[] copy() {
        return Arrays.copyOf(received, length);
    }

    private boolean find(ValueFinder places, PayloadReader reader) {
        boolean found = false;
        for (String text : places.all(NO_HEAD, copy())) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Head head = bytes.length < HEAD ? null : head(bytes, 0);
            if (head != null) {
                found = true;
                reader.received(head);
            }
        }
        return found;
    }

    private boolean search(PayloadReader reader) {
        boolean found = false;
        int at = 0;
        while (at + before.length + HEAD <= length) {
            int start = before.length == 0 ? atBlank(at) : behind(at);
            if (start < 0) {
                break;
            }
            Head head = start + HEAD > length ? null : head(received, start);
            if (head == null) {
                at = start - before.length + 1;
            } else {
                at = start + HEAD;
                found = true;
                reader.received(head);
            }
        }
        return found;
    }

    /** The place before the next blank where a payload would begin. */
    private int atBlank(int from) {
        for (int i = from + DIGITS; i < length; i++) {
            if (received[i] == ' ') {
                return i - DIGITS;
            }
        }
        return -1;
    }

    private int behind(int from) {
        int last = length - before.length;
        for (int i = from; i <= last; i++) {
            if (received[i] == before[0] && Arrays.equals(received, i, i + before.length, before, 0, before.length)) {
                return i + before.length;
            }
        }
        return -1;
    }

    /** {@code null} if it is none of ours. */
    private static Head head(byte[] bytes, int start) {
        for (int end = DIGITS; end < HEAD; end += FIELD) {
            if (bytes[start + end] != ' ') {
                return null;
            }
        }
        try {
            return new Head(number(bytes, start), number(bytes, start + FIELD), number(bytes, start + 2 * FIELD));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long number(byte[] bytes, int start) {
        long number = 0;
        for (int i = start; i < start + DIGITS; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                throw new NumberFormatException();
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
