package io.phaseload.events;

import io.phaseload.http.ResponseParser;
import java.util.Arrays;

/**
 * Reads header blocks (HPACK, RFC 7541) of one connection, in their order. No object is made of a
 * field but of those that the server wants to be kept, and a value is decoded only if it matters.
 */
final class HeaderBlockReader {

    private final FieldTable table = new FieldTable();

    private byte[] block;
    private int at;
    private int end;

    // The text read last.
    private byte[] text;
    private int textFrom;
    private int textLength;
    private byte[] decoded = new byte[256];

    // By a name's number: the text that was kept last, as it came, and its length. Some servers
    // have all they say kept anew with each response.
    private final byte[][] last = new byte[FieldTable.FIXED][];
    private final int[] lastLength = new int[FieldTable.FIXED];

    /**
     * Reads a block.
     *
     * @param bytes its bytes, from 0 on
     * @param length how many there are
     * @param head is given its fields
     */
    void read(byte[] bytes, int length, ResponseHead head) throws Http2Exception {
        block = bytes;
        at = 0;
        end = length;
        head.clear();
        boolean any = false;
        int count = 0;
        while (at < end) {
            if (++count > ResponseParser.MAX_HEADERS) {
                throw Http2Error.ENHANCE_YOUR_CALM.because("Maximum header count exceeded");
            }
            int first = block[at];
            if (first < 0) {
                int place = table.find(integer(7));
                head.take(table.name(place), table.value(place));
            } else if ((first & 0x40) != 0) {
                literal(6, true, head);
            } else if ((first & 0x20) == 0) {
                literal(4, false, head);
            } else if (any) {
                throw Http2Error.COMPRESSION_ERROR.because("a change of the table among headers");
            } else {
                table.resize(integer(5));
                continue;
            }
            any = true;
        }
    }

    private void literal(int prefix, boolean kept, ResponseHead head) throws Http2Exception {
        int number = integer(prefix);
        FieldName name;
        int nameLength;
        if (number == 0) {
            readText();
            name = FieldName.of(text, textFrom, textLength);
            nameLength = textLength;
        } else {
            int place = table.find(number);
            name = table.name(place);
            nameLength = table.nameLength(place);
        }
        long value = FieldName.NO_VALUE;
        if (name == FieldName.OTHER && !kept) {
            skipText();
        } else if (name == FieldName.OTHER) {
            measureText(number);
        } else {
            readText();
            value = name.value(text, textFrom, textLength);
        }
        if (kept) {
            table.add(name, nameLength, value, textLength);
        }
        head.take(name, value);
    }

    private void readText() throws Http2Exception {
        boolean coded = huffman();
        int length = length();
        if (coded) {
            if (decoded.length < Huffman.most(length)) {
                decoded = new byte[2 * Huffman.most(length)];
            }
            text = decoded;
            textFrom = 0;
            textLength = Huffman.decode(block, at, length, decoded);
        } else {
            text = block;
            textFrom = at;
            textLength = length;
        }
        at += length;
    }

    private void skipText() throws Http2Exception {
        int length = length();
        at += length;
    }

    /**
     * Skips a text that is kept, of which the length matters, for the place that it takes.
     *
     * @param number its name's, or 0
     */
    private void measureText(int number) throws Http2Exception {
        boolean remembered = huffman() && number > 0 && number < FieldTable.FIXED;
        if (remembered && isLast(number)) {
            at += last[number].length;
            textLength = lastLength[number];
            return;
        }
        int from = at;
        readText();
        if (remembered) {
            last[number] = Arrays.copyOfRange(block, from, at);
            lastLength[number] = textLength;
        }
    }

    private boolean isLast(int number) {
        byte[] text = last[number];
        return text != null
                && text.length <= end - at
                && Arrays.equals(text, 0, text.length, block, at, at + text.length);
    }

    private boolean huffman() throws Http2Exception {
        if (at == end) {
            throw truncated();
        }
        return block[at] < 0;
    }

    private int length() throws Http2Exception {
        int length = integer(7);
        if (length > end - at) {
            throw truncated();
        }
        return length;
    }

    /** Reads an integer whose first bits are among the last ones of a byte (RFC 7541 §5.1). */
    private int integer(int prefix) throws Http2Exception {
        if (at == end) {
            throw truncated();
        }
        int most = (1 << prefix) - 1;
        int value = block[at++] & most;
        if (value < most) {
            return value;
        }
        // Four bytes more are enough for any that makes sense.
        for (int shift = 0; shift < 28; shift += 7) {
            if (at == end) {
                throw truncated();
            }
            int next = block[at++];
            value += (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw Http2Error.COMPRESSION_ERROR.because("an integer that is too long");
    }

    private static Http2Exception truncated() {
        return Http2Error.COMPRESSION_ERROR.because("a truncated header block");
    }
}
