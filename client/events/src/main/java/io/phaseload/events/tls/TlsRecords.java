package io.phaseload.events.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;

/** Collects TLS records. */
final class TlsRecords {

    /** Type, version, length. */
    private static final int HEADER = 5;

    private static final int LENGTH_AT = 3;

    private TlsRecords() {}

    /**
     * Adds received bytes to the rest of earlier ones. Complete records are passed on as they are; partial ones are
     * copied, since the receive buffer is reused.
     */
    static ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf received) {
        if (before.isReadable()) {
            return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, before, received);
        }
        before.release();
        if (areWhole(received)) {
            return received;
        }
        return allocator.directBuffer(received.readableBytes()).writeBytes(received);
    }

    private static boolean areWhole(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at + HEADER <= end) {
            at += HEADER + bytes.getUnsignedShort(at + LENGTH_AT);
        }
        return at == end;
    }
}
