package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;

/**
 * A request's bytes with positions of their own, for one write at a time. Owned by one event loop.
 */
public final class WireView {

    private LoopRequest viewed;
    private ByteBuf bytes;

    /** All bytes of a request; those of the last one must be sent, or never be. */
    public ByteBuf of(LoopRequest request) {
        if (viewed != request) {
            viewed = request;
            bytes = request.wire().duplicate();
        }
        return bytes.setIndex(0, bytes.capacity());
    }
}
