package io.phaseload.events.http2;

import io.phaseload.http.limit.ResponseLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the header blocks (HPACK, RFC 7541) of one connection in order, without allocating. A value that doesn't matter
 * is only decoded and checked if it differs from the last one in the same place: most servers send the same values in
 * each response.
 */
final class HeaderBlockReader {

    /** How many values of a block are remembered, and their maximum length. */
    private static final int REMEMBERED = 32;

    private static final int LONGEST_REMEMBERED = 256;

    private final FieldTable table;
    private final boolean keepsTexts;

    private byte[] block;
    private int at;
    private int end;

    // The last text.
    private byte[] text;
    private int textFrom;
    private int textLength;
    private byte[] decoded = new byte[256];

    // By a field's place in its block: the last checked text there, as received, with the
    // length of both, and its decoded length.
    private final byte[][] last = new byte[REMEMBERED][];
    private final int[] lastLength = new int[REMEMBERED];
    private final int[] lastDecoded = new int[REMEMBERED];

    /**
     * Creates one for a new connection.
     *
     * @param keepsTexts true if heads get the text of their fields, which allocates
     */
    HeaderBlockReader(boolean keepsTexts) {
        this.keepsTexts = keepsTexts;
        this.table = new FieldTable(keepsTexts);
    }

    /**
     * Reads a block.
     *
     * @param bytes its bytes, from index 0
     * @param head receives its fields
     */
    void read(byte[] bytes, int length, ResponseHead head) throws Http2Exception {
        block = bytes;
        at = 0;
        end = length;
        head.clear();
        boolean any = false;
        int count = 0;
        while (at < end) {
            if (++count > ResponseLimits.HEADERS) {
                throw new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, "Maximum header count exceeded");
            }
            int first = block[at];
            if (first < 0) {
                int place = table.find(integer(7));
                head.take(table.name(place), table.value(place));
                if (keepsTexts) {
                    head.keep(table.nameText(place), table.valueText(place));
                }
            } else if ((first & 0x40) != 0) {
                literal(6, true, count, head);
            } else if ((first & 0x20) == 0) {
                literal(4, false, count, head);
            } else if (any) {
                throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "a change of the table among headers");
            } else {
                table.resize(integer(5));
                continue;
            }
            any = true;
        }
    }

    private void literal(int prefix, boolean kept, int place, ResponseHead head) throws Http2Exception {
        int number = integer(prefix);
        FieldName name;
        int nameLength;
        String nameText = null;
        if (number == 0) {
            readText();
            name = FieldName.of(text, textFrom, textLength);
            nameLength = textLength;
            nameText = keepsTexts ? lastText() : null;
        } else {
            int found = table.find(number);
            name = table.name(found);
            nameLength = table.nameLength(found);
            nameText = keepsTexts ? table.nameText(found) : null;
        }
        long value = FieldName.NO_VALUE;
        if (keepsTexts || name != FieldName.OTHER || !skipRemembered(place)) {
            int from = at;
            readText();
            value = name.value(text, textFrom, textLength);
            if (value == FieldName.NO_VALUE) {
                remember(place, from);
            }
        }
        String valueText = keepsTexts ? lastText() : null;
        if (kept) {
            table.add(name, nameLength, value, textLength, nameText, valueText);
        }
        head.take(name, value);
        if (keepsTexts) {
            head.keep(nameText, valueText);
        }
    }

    private String lastText() {
        return new String(text, textFrom, textLength, StandardCharsets.ISO_8859_1);
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

    /** Skips a value if it is the same as the last one; returns whether it is. */
    private boolean skipRemembered(int place) {
        if (place >= REMEMBERED) {
            return false;
        }
        int length = lastLength[place];
        boolean same =
                length > 0 && length <= end - at && Arrays.equals(last[place], 0, length, block, at, at + length);
        if (same) {
            at += length;
            textLength = lastDecoded[place];
        }
        return same;
    }

    /** Remembers the last value, which began at a given position. */
    private void remember(int place, int from) {
        int length = at - from;
        if (place >= REMEMBERED || length > LONGEST_REMEMBERED) {
            return;
        }
        if (last[place] == null || last[place].length < length) {
            last[place] = new byte[2 * length];
        }
        System.arraycopy(block, from, last[place], 0, length);
        lastLength[place] = length;
        lastDecoded[place] = textLength;
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

    /** Reads an integer with a prefix in the last bits of a byte (RFC 7541 §5.1). */
    private int integer(int prefix) throws Http2Exception {
        if (at == end) {
            throw truncated();
        }
        int most = (1 << prefix) - 1;
        int value = block[at++] & most;
        if (value < most) {
            return value;
        }
        // Four more bytes are enough for any reasonable value.
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
        throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "an integer that is too long");
    }

    private static Http2Exception truncated() {
        return new Http2Exception(Http2Error.COMPRESSION_ERROR, "a truncated header block");
    }
}
