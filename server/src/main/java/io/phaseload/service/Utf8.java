package io.phaseload.service;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Strict UTF-8: malformed input is refused, not repaired. */
public final class Utf8 {

    private Utf8() {}

    /**
     * Decodes a text.
     *
     * @param utf8 the text's bytes
     * @return the text
     * @throws CharacterCodingException if these bytes aren't UTF-8
     */
    public static String decode(byte[] utf8) throws CharacterCodingException {
        return decode(ByteBuffer.wrap(utf8));
    }

    /**
     * Decodes bytes that may be a text.
     *
     * @param bytes any bytes
     * @return the text; empty if these bytes aren't UTF-8
     */
    public static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(decode(bytes));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Encodes a text, which must not have unpaired surrogates. */
    static byte[] encode(String text) throws CharacterCodingException {
        ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[utf8.remaining()];
        utf8.get(bytes);
        return bytes;
    }

    /** Decodes a part of a URL, in which {@code +} isn't a space. */
    static String decodePercent(String encoded) throws CharacterCodingException {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] bytes = encode(encoded);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b == '%') {
                if (i + 2 >= bytes.length) {
                    throw new MalformedInputException(i);
                }
                int high = Character.digit(bytes[++i], 16);
                int low = Character.digit(bytes[++i], 16);
                if (high < 0 || low < 0) {
                    throw new MalformedInputException(i);
                }
                b = (byte) (high << 4 | low);
            }
            bytes[length++] = b;
        }
        return decode(ByteBuffer.wrap(bytes, 0, length));
    }

    // Unlike new String(…), a new decoder refuses malformed UTF-8.
    private static String decode(ByteBuffer utf8) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    }
}
