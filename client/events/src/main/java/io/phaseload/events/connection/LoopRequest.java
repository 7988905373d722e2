package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.phaseload.events.http2.HeaderBlockWriter;
import io.phaseload.http.request.PreparedRequest;

/**
 * An operation as event loops send it. Immutable, and shared by all loops of a run, unless it has the values of one
 * user.
 *
 * @param headLength the length of its header, in bytes
 * @param wire its bytes, header and body, outside of the heap unless it is sent once; its positions aren't to be moved,
 *     and only {@link #release()} releases it
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
        // One that is sent once is left to the collector: the transport copies it as it sends.
        ByteBuf wire = prepared.isSentOnce() ? Unpooled.buffer(length, length) : Unpooled.directBuffer(length, length);
        wire.writeBytes(head).writeBytes(body);
        return new LoopRequest(prepared, head.length, Unpooled.unreleasableBuffer(wire));
    }

    /** The same request as it is sent once, such as with what reads its stream of events. */
    public LoopRequest streamed(PreparedRequest once) {
        return new LoopRequest(once, headLength, wire);
    }

    /** Call this when no loop sends it any more. */
    public void release() {
        wire.unwrap().release();
    }

    /** Its header alone. */
    ByteBuf head() {
        return wire.slice(0, headLength);
    }

    /** Its body alone. */
    ByteBuf body() {
        return wire.slice(headLength, bodyLength());
    }

    public int bodyLength() {
        return wire.capacity() - headLength;
    }

    /** A view of a request's bytes with its own positions, for one write at a time. Owned by one event loop. */
    public static final class WireView {

        private LoopRequest viewed;
        private ByteBuf bytes;

        /** Views all bytes of a request. Those of the last one must have been sent, or never will be. */
        public ByteBuf of(LoopRequest request) {
            if (viewed != request) {
                viewed = request;
                bytes = request.wire().duplicate();
            }
            return bytes.setIndex(0, bytes.capacity());
        }
    }
}
