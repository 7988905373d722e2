package io.phaseload.originals.eventstore;

import java.nio.ByteBuffer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** An entry of the replicated log. */
sealed interface Command {
    /**
     * Appends a batch of one insertion.
     *
     * @param insertion the insertion's number, which no other one has
     * @param first the number of the batch's first event; the insertion's events count from 0
     * @param events the events, one after another
     */
    record Insert(long insertion, long first, ByteString events) implements Command {}

    /** Makes a token, which the next {@link Clean} needs. */
    record MakeToken() implements Command {}

    /**
     * Removes all events.
     *
     * @param token the token that was made last
     */
    record Clean(long token) implements Command {}

    default Message message() {
        ByteBuffer header = ByteBuffer.allocate(1 + 2 * Long.BYTES);
        if (this instanceof Insert insert) {
            header.put((byte) 'i').putLong(insert.insertion).putLong(insert.first);
            return Message.valueOf(ByteString.copyFrom(header.flip()).concat(insert.events));
        } else if (this instanceof Clean clean) {
            header.put((byte) 'c').putLong(clean.token);
        } else {
            header.put((byte) 't');
        }
        return Message.valueOf(ByteString.copyFrom(header.flip()));
    }

    static Command of(ByteString entry) {
        ByteBuffer bytes = entry.asReadOnlyByteBuffer();
        byte kind = bytes.get();
        return switch (kind) {
            case 'i' -> new Insert(bytes.getLong(), bytes.getLong(), ByteString.copyFrom(bytes));
            case 'c' -> new Clean(bytes.getLong());
            case 't' -> new MakeToken();
            default -> throw new IllegalArgumentException("entry of unknown kind " + kind);
        };
    }
}
