package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.http.Outcome;
import io.phaseload.http.PreparedRequest;
import java.io.ByteArrayOutputStream;

/**
 * An operation as event loops send it. Immutable, and shared by all loops of a run.
 *
 * @param index the operation's, in its scenario
 * @param prepared judges its responses
 * @param wire its bytes, outside of the heap; its positions aren't to be moved, and only {@link
 *     #release()} releases it
 */
record LoopRequest(int index, PreparedRequest prepared, ByteBuf wire) {

    static LoopRequest of(int index, PreparedRequest prepared) {
        return new LoopRequest(index, prepared, direct(prepared.wire()));
    }

    private static ByteBuf direct(byte[] bytes) {
        ByteBuf buffer = Unpooled.directBuffer(bytes.length, bytes.length);
        return Unpooled.unreleasableBuffer(buffer.writeBytes(bytes));
    }

    /** To be called when no loop sends it any more. */
    void release() {
        wire.unwrap().release();
    }

    boolean head() {
        return prepared.head();
    }

    boolean bodyKept() {
        return prepared.bodyKept();
    }

    boolean keepsConnection() {
        return prepared.keepsConnection();
    }

    Outcome judge(int status, ByteArrayOutputStream body) {
        return prepared.judge(status, body);
    }
}
