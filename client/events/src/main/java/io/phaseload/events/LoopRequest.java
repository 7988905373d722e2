package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.http.Outcome;
import io.phaseload.http.PreparedRequest;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An operation as event loops send it. Immutable, and shared by all loops of a phase.
 *
 * @param index the operation's, in its scenario
 * @param prepared judges its responses
 * @param wire its bytes, outside of the heap; its positions aren't to be moved, and only {@link
 *     #release()} releases it
 */
record LoopRequest(int index, PreparedRequest prepared, ByteBuf wire) {

    static List<LoopRequest> all(List<PreparedRequest> prepared) {
        return IntStream.range(0, prepared.size())
                .mapToObj(i -> new LoopRequest(i, prepared.get(i), direct(prepared.get(i).wire())))
                .toList();
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
