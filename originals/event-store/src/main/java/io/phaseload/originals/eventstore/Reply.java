package io.phaseload.originals.eventstore;

import java.nio.ByteBuffer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The result of a command, the same on each peer.
 *
 * @param value the number of events in the store, or the token that was made
 * @param refusal the reason why nothing was done; empty otherwise
 */
record Reply(long value, String refusal) {
    static Reply of(long value) {
        return new Reply(value, "");
    }

    static Reply refused(String reason) {
        return new Reply(0, reason);
    }

    boolean accepted() {
        return refusal.isEmpty();
    }

    Message message() {
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES).putLong(this.value).flip();
        return Message.valueOf(ByteString.copyFrom(value).concat(ByteString.copyFromUtf8(refusal)));
    }

    static Reply of(Message message) {
        ByteString content = message.getContent();
        long value = content.asReadOnlyByteBuffer().getLong();
        return new Reply(value, content.substring(Long.BYTES).toStringUtf8());
    }
}
