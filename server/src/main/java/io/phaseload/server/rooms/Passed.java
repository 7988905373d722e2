package io.phaseload.server.rooms;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A message on its way between nodes: its kind in one byte, the length of the room's name in four, that name, and what
 * was said.
 *
 * @param room for whose members it is
 */
record Passed(String room, Payload message) {

    private static final byte TEXT = 1;
    private static final byte BYTES = 2;

    byte[] write() {
        byte[] name = room.getBytes(StandardCharsets.UTF_8);
        byte kind = message instanceof Payload.TextPayload ? TEXT : BYTES;
        byte[] said = message instanceof Payload.TextPayload text
                ? text.text().getBytes(StandardCharsets.UTF_8)
                : ((Payload.BinaryPayload) message).bytes();
        return ByteBuffer.allocate(1 + Integer.BYTES + name.length + said.length)
                .put(kind)
                .putInt(name.length)
                .put(name)
                .put(said)
                .array();
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it isn't one
     */
    static Passed read(byte[] written) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(written);
            byte kind = bytes.get();
            int length = bytes.getInt();
            if (kind != TEXT && kind != BYTES || length < 0 || length > bytes.remaining()) {
                throw new IllegalArgumentException("not a message of a room");
            }
            byte[] name = new byte[length];
            bytes.get(name);
            byte[] said = new byte[bytes.remaining()];
            bytes.get(said);
            return new Passed(
                    new String(name, StandardCharsets.UTF_8),
                    kind == TEXT
                            ? new Payload.TextPayload(new String(said, StandardCharsets.UTF_8))
                            : new Payload.BinaryPayload(said));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("not a message of a room", e);
        }
    }
}
