package io.phaseload.events.http2;

import java.util.Arrays;

/**
 * HPACK's Huffman code (RFC 7541, appendix B). It is canonical: among codes of the same length, the next symbol has the
 * next code, so that the lengths define it.
 */
final class Huffman {

    /** The length of each symbol's code: {@code A} stands for 5 bits, {@code Z} for 30. */
    private static final String LENGTHS = "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
            + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
            + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
            + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"
            + "Z";

    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;
    private static final int END = 256;

    // By length: the first code, the number of codes, and the index of their symbols.
    private static final int[] FIRST = new int[LONGEST + 1];
    private static final int[] COUNT = new int[LONGEST + 1];
    private static final int[] OFFSET = new int[LONGEST + 1];
    private static final short[] SYMBOLS = new short[LENGTHS.length()];

    static {
        int code = 0;
        int sorted = 0;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            FIRST[length] = code;
            OFFSET[length] = sorted;
            for (short symbol = 0; symbol < LENGTHS.length(); symbol++) {
                if (LENGTHS.charAt(symbol) - 'A' + SHORTEST == length) {
                    SYMBOLS[sorted++] = symbol;
                }
            }
            COUNT[length] = sorted - OFFSET[length];
            code = code + COUNT[length] << 1;
        }
    }

    /** By the next byte: the code within it, as symbol and length; 0 if its code is longer. */
    private static final short[] SHORT = new short[1 << Byte.SIZE];

    static {
        for (int length = SHORTEST; length <= Byte.SIZE; length++) {
            for (int i = 0; i < COUNT[length]; i++) {
                int rest = Byte.SIZE - length;
                int from = FIRST[length] + i << rest;
                short entry = (short) (SYMBOLS[OFFSET[length] + i] << Byte.SIZE | length);
                Arrays.fill(SHORT, from, from + (1 << rest), entry);
            }
        }
    }

    private Huffman() {}

    /** The most bytes of a text. */
    static int most(int encoded) {
        return encoded * Byte.SIZE / SHORTEST;
    }

    /**
     * Decodes a text.
     *
     * @param into a buffer with room for {@link #most} bytes
     * @return its length
     */
    static int decode(byte[] from, int at, int length, byte[] into) throws Http2Exception {
        int decoded = 0;
        // The lowest bits are those that were read and not decoded yet.
        long read = 0;
        int bits = 0;
        int next = at;
        int end = at + length;
        while (true) {
            while (bits < LONGEST && next < end) {
                read = read << Byte.SIZE | from[next++] & 0xff;
                bits += Byte.SIZE;
            }
            if (bits == 0) {
                return decoded;
            }
            // The input is padded with ones, which are no complete code.
            long left = read << Long.SIZE - bits | -1L >>> bits;
            int code = SHORT[(int) (left >>> Long.SIZE - Byte.SIZE)];
            if (code == 0) {
                code = longCode(left);
            }
            int used = code & 0xff;
            if (used > bits) {
                if (bits >= Byte.SIZE || left != -1) {
                    throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "padding of a string");
                }
                return decoded;
            }
            if (code >> Byte.SIZE == END) {
                throw new Http2Exception(Http2Error.COMPRESSION_ERROR, "end of string in a string");
            }
            into[decoded++] = (byte) (code >> Byte.SIZE);
            bits -= used;
        }
    }

    private static int longCode(long left) {
        for (int length = Byte.SIZE + 1; length <= LONGEST; length++) {
            int index = (int) (left >>> Long.SIZE - length) - FIRST[length];
            if (index >= 0 && index < COUNT[length]) {
                return SYMBOLS[OFFSET[length] + index] << Byte.SIZE | length;
            }
        }
        throw new IllegalStateException("a code that nothing has");
    }
}
