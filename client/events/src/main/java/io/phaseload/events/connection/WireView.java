package io.phaseload.events.connection;

import io.netty.buffer.ByteBuf;

/** A view of a request's bytes with its own positions, for one write at a time. Owned by one event loop. */
public final class WireView {

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
