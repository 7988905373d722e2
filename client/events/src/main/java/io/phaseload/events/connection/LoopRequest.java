package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.events.http2.HeaderBlockWriter;
import io.phaseload.http.PreparedRequest;

/**
 * An operation as event loops send it. Immutable; shared by all loops of a run.
 *
 * @param prepared the operation that it was encoded from, which judges responses
 * @param headLength the length of its header
 * @param wire its bytes, header and body, off-heap; don't move its positions; only {@link
 *     #release()} releases it
 */
public record LoopRequest(PreparedRequest prepared, int headLength, ByteBuf wire) {

    /** A request for HTTP/1.1. */
    public static LoopRequest of(PreparedRequest prepared) {
        return of(prepared, prepared.wireHead());
    }

    /** A request for HTTP/2, with its header as a header block. */
    public static LoopRequest ofHttp2(PreparedRequest prepared) {
        return of(prepared, HeaderBlockWriter.write(prepared));
    }

    private static LoopRequest of(PreparedRequest prepared, byte[] head) {
        byte[] body = prepared.wireBody();
        int length = head.length + body.length;
        ByteBuf wire = Unpooled.directBuffer(length, length).writeBytes(head).writeBytes(body);
        return new LoopRequest(prepared, head.length, Unpooled.unreleasableBuffer(wire));
    }

    /** Call this when no loop sends it any more. */
    public void release() {
        wire.unwrap().release();
    }

    public int bodyLength() {
        return wire.capacity() - headLength;
    }
}
