package io.phaseload.plan;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The bytes that a request carries. Immutable. */
public final class Body {

    private final byte[] bytes;

    private Body(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A body of text.
     *
     * @param text sent as UTF-8
     */
    public static Body ofText(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A body of bytes.
     *
     * @param bytes copied
     */
    public static Body ofBytes(byte[] bytes) {
        return new Body(bytes.clone());
    }

    /** {@return the bytes as sent: a copy} */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** {@return the body as text: empty if the bytes aren't UTF-8} */
    public Optional<String> text() {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body body && Arrays.equals(bytes, body.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Body[" + bytes.length + " bytes]";
    }
}
