package io.phaseload.events;

/**
 * HPACK's Huffman code (RFC 7541, appendix B). It is canonical: among codes of one length the next
 * symbol has the next code, so that the lengths say all of it.
 */
final class Huffman {

    /** How long each symbol's code is: {@code A} stands for 5 bits, {@code Z} for 30. */
    private static final String LENGTHS =
            "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
                    + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
                    + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
                    + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"
                    + "Z";

    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;
    private static final int END = 256;

    // By length: the first code, how many there are, and where their symbols begin.
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

    private Huffman() {}

    /** How many bytes a text may have at most. */
    static int most(int encoded) {
        return encoded * 8 / SHORTEST;
    }

    /**
     * Decodes a text.
     *
     * @param into has room for {@link #most} bytes
     * @return how many bytes it has
     */
    static int decode(byte[] from, int at, int length, byte[] into) throws Http2Exception {
        int decoded = 0;
        int code = 0;
        int bits = 0;
        for (int i = at; i < at + length; i++) {
            for (int bit = 7; bit >= 0; bit--) {
                code = code << 1 | from[i] >> bit & 1;
                bits++;
                int index = code - FIRST[bits];
                if (index >= 0 && index < COUNT[bits]) {
                    short symbol = SYMBOLS[OFFSET[bits] + index];
                    if (symbol == END) {
                        throw Http2Error.COMPRESSION_ERROR.because("end of string in a string");
                    }
                    into[decoded++] = (byte) symbol;
                    code = 0;
                    bits = 0;
                }
            }
        }
        // What is left are the first bits of the end, fewer than a byte.
        if (bits > 7 || code != (1 << bits) - 1) {
            throw Http2Error.COMPRESSION_ERROR.because("padding of a string");
        }
        return decoded;
    }
}
